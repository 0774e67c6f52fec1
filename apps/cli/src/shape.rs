//! The shapes that people write on the command line.

use std::borrow::Cow;
use std::io::{self, Read};

use xlayout::shape::text::{Notation, Rules, read_array};
pub(crate) use xlayout_command::shape::Given;
use xlayout_command::{Failure, Outcome, TextSpan};

/// The failure for words that a shell made of one shape without quotes: bash expands
/// `f32[2,3]{1,0}` to `f32[2,3]1 f32[2,3]0`.
pub(crate) fn taken_apart(words: &[String]) -> Option<Failure> {
    let parts = |word: &String| {
        let (shape, number) = word.split_at(word.rfind(']')? + 1);
        let number: u32 = number.parse().ok()?;
        Some((shape.to_owned(), number))
    };
    let split: Vec<_> = words.iter().map(parts).collect();
    let start = split.windows(2).position(|pair| match pair {
        [Some(a), Some(b)] => a.0 == b.0 && a.1 != b.1,
        _ => false,
    })?;
    let shape = &split[start].as_ref()?.0;
    let rules = Rules {
        notation: Notation::Extended,
        addressable: true,
    };
    read_array(shape, rules, &mut |_| ())?;
    let same = split[start..].iter().map_while(Option::as_ref);
    let mut numbers: Vec<u32> = Vec::new();
    for (other, number) in same {
        // The next word belongs to another shape, as in `diff`.
        if other != shape || numbers.contains(number) {
            break;
        }
        numbers.push(*number);
    }
    let text = words[start..start + numbers.len()].join(" ");
    let meant = format!("'{shape}{{{}}}'", xlayout_words::joined(&numbers, ","));
    let at = TextSpan::of_argument("", &text, 0..text.len());
    let failure = Failure::usage("a shell took a shape apart at its braces").at(at);
    Some(failure.help(format_args!("put the shape in quotes: {meant}")))
}

/// The longest text that is read from the standard input: the limit of an argument on Linux.
const MAX_INPUT: u64 = 1 << 17;

/// The argument itself, or for `-` the standard input.
///
/// # Errors
/// Input that is too long, is not text, or cannot be read.
pub(crate) fn text<'a>(origin: &str, argument: &'a str) -> Outcome<Cow<'a, str>> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let path = std::path::Path::new("standard input");
    let mut text = String::new();
    let read = io::stdin()
        .lock()
        .take(MAX_INPUT + 1)
        .read_to_string(&mut text);
    read.map_err(|error| Failure::of_file("read", path, &error))?;
    if text.len() as u64 > MAX_INPUT {
        let what = format_args!(
            "the standard input has more than {MAX_INPUT} bytes, and one {origin} is expected"
        );
        return Err(Failure::file(what));
    }
    Ok(text.trim().to_owned().into())
}
