//! Layouts of Gluon, in Python, as the encodings that they are.

use crate::maps::brackets::{inside, split};
use crate::words::joined;

/// Gluon's classes, each with the encoding that it is, and the names of its arguments in both.
type Class = (&'static str, &'static str, &'static [[&'static str; 2]]);
#[rustfmt::skip]
const CLASSES: [Class; 4] = [
    ("BlockedLayout(", "blocked", &[["size_per_thread", "sizePerThread"],
        ["threads_per_warp", "threadsPerWarp"], ["warps_per_cta", "warpsPerCTA"],
        ["order", "order"], ["cga_layout", "CGALayout"]]),
    ("SwizzledSharedLayout(", "swizzled_shared", &[["vec", "vec"], ["per_phase", "perPhase"],
        ["max_phase", "maxPhase"], ["order", "order"], ["cga_layout", "CGALayout"]]),
    ("NVMMASharedLayout(", "nvmma_shared", &[["swizzle_byte_width", "swizzlingByteWidth"],
        ["element_bitwidth", "elementBitWidth"], ["rank", "rank"], ["transposed", "transposed"],
        ["fp4_padded", "fp4Padded"], ["cga_layout", "CGALayout"]]),
    ("DistributedLinearLayout(", "linear", &[["reg_bases", "register"], ["lane_bases", "lane"],
        ["warp_bases", "warp"], ["block_bases", "block"], ["shape", "shape"]]),
];

/// The encoding of a layout of Gluon's, and an argument that is not part of it.
pub(super) fn encoding(text: &str) -> Option<(String, Option<&str>)> {
    let classes = || CLASSES.iter();
    let found = classes().filter_map(|row| Some((text.find(row.0)?, row)));
    let (at, (class, name, keys)) = found.min_by_key(|found| found.0)?;
    let rest = &text[at + class.len()..];
    let inner = inside(rest);
    let mut others = classes().filter_map(|row| rest.find(row.0));
    let mut stray = others.next().map(|at| &rest[at..]);
    let mut fields = Vec::new();
    for (place, argument) in split(inner, ',').into_iter().enumerate() {
        if argument.trim().is_empty() {
            continue;
        }
        let named = argument.split_once('=');
        let key = match named {
            Some((key, _)) => keys.iter().find(|own| own[0] == key.trim()),
            None => keys.get(place),
        };
        let value = named.map_or(argument, |(_, value)| value);
        let value = value.replace("True", "true").replace("False", "false");
        match key {
            Some(key) => fields.push(format!("{} = {}", key[1], value.trim())),
            None => stray = Some(argument),
        }
    }
    Some((format!("#ttg.{name}<{{{}}}>", joined(fields, ", ")), stray))
}
