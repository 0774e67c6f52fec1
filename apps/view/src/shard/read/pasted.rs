//! What a text of a sharding says, and the array beside it.

use xlayout::interop::Given;
use xlayout::sharding::{NamedSharding, Sharding};
use xlayout::{ArrayLayout, DynLayout};

use crate::error::{Error, Outcome, TextSpan};
use crate::shard::python::SHARDING;

/// A sharding, and what its text says of the array.
pub(in crate::shard) struct Pasted {
    pub(in crate::shard) sharding: Sharding,
    pub(in crate::shard) array: Option<DynLayout>,
    /// What the text does not say.
    pub(in crate::shard) assumed: Vec<&'static str>,
}

/// The sharding of an array of which the text may name the first dimensions only.
pub(super) fn finish(
    text: &str,
    mut named: NamedSharding,
    array: Option<DynLayout>,
    assumed: Vec<&'static str>,
) -> Outcome<Pasted> {
    let rank = array.as_ref().map_or(0, ArrayLayout::rank);
    if named.dim_shardings.len() < rank {
        named.dim_shardings.resize(rank, Vec::new());
    }
    let sharding = named.to_sharding().map_err(|error| {
        Error::new(error.message())
            .at(TextSpan::of_whole(SHARDING, text))
            .help(error.help())
    })?;
    Ok(Pasted {
        sharding,
        array,
        assumed,
    })
}

/// The text up to the mark that closes its first one.
pub(super) fn balanced(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close && before != '-' {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(&text[..at + close.len_utf8()]);
            }
        }
        before = letter;
    }
    None
}

/// The array of a value that has a sharding: `%a: tensor<2x3xf32> {mhlo.sharding = "`, or behind
/// an operation `: tensor<2x3xf32>`; `%a = f32[2,3]{1,0} add(…), sharding=` of HLO.
pub(super) fn beside(text: &str, part: &str) -> Outcome<Option<DynLayout>> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    let before = &text[..start];
    let behind = &text[start + part.len()..];
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    let array = |shape: &str| crate::read::read(SHARDING, shape, &Given::default()).map(Some);
    let typed = |text: &'_ str, at: usize| balanced(&text[at..], '<', '>').map(str::to_owned);
    if let Some(at) = line.rfind("tensor<")
        && let Some(own) = typed(line, at)
    {
        let between = &line[at + own.len()..];
        if between.trim_start().starts_with('{') {
            return array(&own);
        }
    }
    let rest = behind.lines().next().unwrap_or_default();
    if let Some(own) = rest.find(" : tensor<").and_then(|at| typed(rest, at + 3)) {
        return array(&own);
    }
    // `: (tensor<2x3xf32>) -> tensor<2x3xf32>`
    let operation = rest.split_once(" : (").map_or("", |(_, types)| types);
    let types = operation.match_indices("tensor<");
    let types: Vec<String> = types.filter_map(|(at, _)| typed(operation, at)).collect();
    if let [first, others @ ..] = &types[..]
        && others.iter().all(|other| other == first)
    {
        return array(first);
    }
    match line.rsplit_once("sharding=") {
        Some((shape, _)) if shape.contains('[') => array(shape.trim_end_matches([',', ' '])),
        _ => Ok(None),
    }
}
