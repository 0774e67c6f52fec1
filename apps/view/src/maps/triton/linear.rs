//! Which element each register, lane, warp and block holds: the index counts these, and an offset is
//! the row-major index in the tensor.

use serde_json::Value;
use xlayout::algebra::Bits;
use xlayout::interop::CuteLayout;

use super::encoding::Encoding;
use crate::error::Outcome;
use crate::maps::map_text::MapText;
use crate::words::joined;

/// What the index counts, the fastest first.
const INPUTS: [&str; 4] = ["register", "lane", "warp", "block"];

impl Encoding<'_> {
    /// As a linear encoding of an array of these sizes.
    pub(super) fn blocked(mut self, sizes: &[u64], order: &[usize]) -> Outcome<MapText> {
        let mut taken = vec![1_u64; sizes.len()];
        let mut lists: Vec<Vec<Vec<u64>>> = Vec::new();
        for key in [
            "sizePerThread",
            "threadsPerWarp",
            "warpsPerCTA",
            "what is left",
        ] {
            let left = sizes
                .iter()
                .zip(&taken)
                .map(|(size, taken)| (size / taken).max(1));
            let own = if lists.len() < 3 {
                self.get(key)
            } else {
                Some(left.collect())
            };
            let is_count = |count: &u64| count.is_power_of_two() && *count < 1 << 16;
            let counts = own.filter(|own: &Vec<u64>| own.len() == sizes.len());
            let counts = counts.filter(|counts| lists.len() == 3 || counts.iter().all(is_count));
            let Some(counts) = counts else {
                let what = format_args!("`{key}` has no power of two for each dimension");
                return Err(self.wrong(what));
            };
            let mut bases = Vec::new();
            for &dim in order {
                for bit in 0..counts[dim].ilog2() {
                    // What is beyond the array has its first elements once more.
                    let mut basis = vec![0; sizes.len()];
                    let at = taken[dim] << bit;
                    if at < sizes[dim] {
                        basis[dim] = at;
                    }
                    bases.push(basis);
                }
                taken[dim] *= counts[dim];
            }
            lists.push(bases);
        }
        let left = lists.pop().into_iter().flatten();
        lists[0].extend(left);
        lists.push(Vec::new());
        for (key, list) in INPUTS.iter().zip(lists) {
            self.fields.insert((*key).to_owned(), list.into());
        }
        self.linear()
    }

    pub(super) fn linear(&self) -> Outcome<MapText> {
        if let Some(missing) = INPUTS.iter().find(|key| !self.fields.contains_key(**key)) {
            return Err(self.wrong(format_args!("`{missing}` is missing")));
        }
        let (columns, sizes) = self.columns()?;
        let map = Bits::new(&columns).and_then(|bits| bits.to_map());
        let mut text = MapText::new("Triton", map.map_err(|error| self.of_map(error))?);
        text.is_memory = false;
        text.cute = cute(&columns, &sizes);
        let counts = INPUTS.map(|key| {
            let bits = self.get::<Vec<Value>>(key).map_or(0, |bases| bases.len());
            format!("{key} ({})", 1_u64 << bits.min(63))
        });
        text.notes.push(format!(
            "The index counts {}; an offset is the row-major index in a tensor of {}.",
            counts.join(", then "),
            joined(&sizes, " × ")
        ));
        Ok(text)
    }

    /// For each bit of the inputs the row-major index of its tensor coordinates, and the sizes of
    /// the tensor.
    fn columns(&self) -> Outcome<(Vec<u64>, Vec<u64>)> {
        let mut bases: Vec<Vec<u64>> = Vec::new();
        for key in INPUTS {
            let own: Option<Vec<Vec<u64>>> = self.get(key);
            let none = || self.wrong(format_args!("expected lists of coordinates as `{key}`"));
            bases.extend(own.ok_or_else(none)?);
        }
        let rank = bases.first().map_or(0, Vec::len);
        if let Some(basis) = bases.iter().find(|basis| basis.len() != rank) {
            let what = format!(
                "a basis of {} coordinates, and the first one has {rank}",
                basis.len()
            );
            return Err(self.failure(what, "write as many coordinates in each basis"));
        }
        // Sizes are powers of two, so the XOR of row-major indices is the row-major index of the
        // XOR.
        let mut columns = vec![0_u64; bases.len()];
        let mut sizes = Vec::new();
        for dimension in 0..rank {
            let coordinates = bases.iter().map(|basis| basis[dimension]);
            let bits = 64 - coordinates.fold(0, u64::max).leading_zeros();
            for (column, basis) in columns.iter_mut().zip(&bases) {
                if column.leading_zeros() < bits + 2 {
                    let what = "the tensor has 2^62 elements or more";
                    return Err(self.failure(what, "write smaller coordinates"));
                }
                *column = *column << bits | basis[dimension];
            }
            sizes.push(1 << bits);
        }
        Ok((columns, sizes))
    }
}

/// What a linear layout prints, as its encoding: of each input the bits in turn.
pub(super) fn printed(text: &str) -> Option<String> {
    let mut inputs = INPUTS.map(|_| Vec::new());
    for line in text.lines() {
        let Some((bit, basis)) = line.split_once("->") else {
            continue;
        };
        let (input, bit) = bit
            .trim_start_matches([' ', '-', '/', '#'])
            .split_once('=')?;
        let bases = &mut inputs[INPUTS.iter().position(|name| *name == input)?];
        let next = 1_u64.checked_shl(u32::try_from(bases.len()).ok()?)?;
        let coordinates = basis.trim().strip_prefix('(')?.strip_suffix(')')?;
        if bit.trim() != next.to_string() {
            return None;
        }
        bases.push(format!("[{coordinates}]"));
    }
    let fields = INPUTS.iter().zip(&inputs);
    let fields = fields.map(|(name, bases)| format!("{name} = [{}]", joined(bases, ", ")));
    let is_any = inputs.iter().any(|bases| !bases.is_empty());
    is_any.then(|| format!("#ttg.linear<{{{}}}>", joined(fields, ", ")))
}

/// Lists of bases alone, `register = [[0, 1]], lane = […], …`, as an encoding.
pub(super) fn listed(text: &str) -> Option<String> {
    let is_around = |letter: char| letter.is_whitespace() || "{},".contains(letter);
    let fields = text.trim_matches(is_around);
    let has = |name: &&str| fields.contains(&format!("{name} = ["));
    let is_whole = fields.starts_with("register = [") && INPUTS[..3].iter().all(has);
    let block = if has(&INPUTS[3]) { "" } else { ", block = []" };
    is_whole.then(|| format!("#ttg.linear<{{{fields}{block}}}>"))
}

/// The layout whose linear index is the index: each bit of the index is one of a coordinate.
fn cute(columns: &[u64], sizes: &[u64]) -> Option<CuteLayout> {
    let mut shape = Vec::new();
    let mut strides = Vec::new();
    let mut unit: u64 = sizes.iter().product();
    for size in sizes {
        unit /= size;
        let place = |bit| {
            let place = columns.iter().position(|&column| column == unit << bit)?;
            Some(1_u64 << place)
        };
        let own: Vec<u64> = (0..size.ilog2()).map(place).collect::<Option<_>>()?;
        shape.push(format!("({})", joined(vec![2; own.len()], ",")));
        strides.push(format!("({})", joined(&own, ",")));
    }
    let bits: u32 = sizes.iter().map(|size| size.ilog2()).sum();
    let is_whole = bits as usize == columns.len();
    let [shape, strides] = [shape, strides].map(|list| joined(&list, ","));
    is_whole.then(|| format!("({shape}):({strides})").parse().ok())?
}
