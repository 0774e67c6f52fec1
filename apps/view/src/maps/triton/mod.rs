//! Triton's encodings, as its compiler prints them.
//!
//! ```text
//! text     = "#ttg." name "<{" key "=" value {"," …} "}>", or a type that has such an encoding:
//!            !ttg.memdesc<64x64xf16, #ttg.swizzled_shared<…>, #smem>
//! linear   = the tensor coordinates of each bit of register, lane, warp and block; by XOR;
//!            LinearLayout::toString prints a line for each: "- register=1 -> (0, 1)"; also the
//!            lists alone
//! blocked  = linear: in the order, sizePerThread are registers, threadsPerWarp lanes, warpsPerCTA
//!            warps, and what is left of the sizes registers
//! shared   = a swizzle of the offset:
//!            swizzled_shared: column XOR vec * (row / perPhase % maxPhase)
//!            nvmma_shared:    the same of tiles of 8 rows of swizzlingByteWidth bytes, tiles of
//!                             rows first, perPhase * maxPhase = 8, vec of 16 bytes
//! padded   = [interval:+padding, …]: behind each interval of elements a gap
//! Gluon    = the same in Python: BlockedLayout(size_per_thread=[1, 4], …)
//! ```
//!
//! Source: `include/triton/Tools/LinearLayout.h`, `LinearLayoutConversions.cpp`.

mod encoding;
mod gluon;
mod linear;
mod shared;
#[cfg(test)]
mod tests;

use xlayout::interop::{Given, Notation};

use self::encoding::Encoding;
use super::map_text::MapText;
use crate::error::{Error, Outcome, TextSpan};

/// The map of an encoding; `None` if the text has none.
pub(super) fn read(origin: &str, text: &str, given: &Given<'_>) -> Option<Outcome<MapText>> {
    if let Some((encoding, stray)) = gluon::encoding(text) {
        if let Some(stray) = stray {
            let start = stray.as_ptr().addr() - text.as_ptr().addr();
            let at = TextSpan::of_argument(origin, text, start..start + stray.len());
            let error = Error::new("this is another layout, or no argument of this one").at(at);
            return Some(Err(
                error.help(format_args!("such a layout is `{encoding}`"))
            ));
        }
        return read(origin, &encoding, given);
    }
    let starts = ["#ttg.", "#triton_gpu."];
    let start = starts.iter().find_map(|dialect| text.find(dialect));
    let heads = [
        "!ttg.memdesc<",
        "!triton_gpu.memdesc<",
        "!tt.memdesc<",
        "tensor<",
    ];
    let head = heads
        .iter()
        .find_map(|begin| text.trim_start().strip_prefix(begin));
    let linear = || linear::printed(text).or_else(|| linear::listed(text));
    if let Some(linear) = start.is_none().then(linear).flatten() {
        let encoding = Encoding::read(origin, &linear, 0, true);
        return Some(encoding.and_then(|encoding| encoding.linear()));
    }
    let Some(start) = start else {
        // The encoding is a name.
        let name = head
            .filter(|_| text.contains("memdesc<"))?
            .split_once('#')?
            .1;
        let name = name.split([',', '>']).next().unwrap_or(name).trim();
        let error = Error::new(format_args!(
            "`#{name}` is a name, which another line defines"
        ));
        let help = format!("give that line, too: `#{name} = #ttg.…`, a line above");
        return Some(Err(error.at(TextSpan::of_whole(origin, text)).help(help)));
    };
    let own = head.map(|head| {
        let sizes = head.split_once(',').map_or(head, |(sizes, _)| sizes);
        let tensor = Notation::with_key("tensor");
        let shape = tensor?
            .read(&format!("tensor<{sizes}>"), &Given::default())
            .ok()?;
        let sizes: Option<Vec<i64>> = shape.dims.iter().map(|dim| dim.bound()).collect();
        Some((sizes?, shape.element_type))
    });
    let encoding = Encoding::read(origin, text, start, head.is_none());
    Some(encoding.and_then(|encoding| {
        let own = match own {
            Some(None) => {
                return Err(encoding.wrong("a type without sizes, or of unknown elements"));
            }
            other => other.flatten(),
        };
        let (sizes, element_type) = own.unzip();
        encoding.map(&Given {
            sizes: sizes.as_deref().or(given.sizes),
            element_type: element_type.or(given.element_type),
            axes: None,
        })
    }))
}
