//! `xlayout emit`: index arithmetic as code.

use std::io::Write;

use xlayout::algebra::{Map, MapError};
use xlayout::interop::CuteLayout;
use xlayout_emit::{EmitError, Functions, IndexMap, Language, Options};

use crate::shape;
use xlayout_command::{Failure, Outcome};
use xlayout_view::MapText;

/// The arguments of `xlayout emit`.
#[derive(clap::Args, Debug)]
pub(crate) struct EmitArguments {
    /// The array and its layout, in quotes; `-` reads it from the standard input. CuTe's text may
    /// be any map, without an element type
    #[arg(value_name = "SHAPE")]
    shape: String,

    #[command(flatten)]
    given: shape::Given,

    /// The language
    #[arg(long, value_name = "LANGUAGE", value_enum)]
    lang: Lang,

    /// The bits of a number: 32 or 64
    ///
    /// Without it, 64 for Rust and C, and 32 for CUDA and WGSL. Integers of Python and MLIR have no
    /// width.
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(["32", "64"]))]
    bits: Option<String>,

    /// Call the functions NAME_linear_index and NAME_multi_index
    #[arg(long, value_name = "NAME", default_value = "")]
    name: String,

    /// Apply CuTe's Swizzle<BITS,BASE,SHIFT> to the linear index
    #[arg(long, value_name = "BITS,BASE,SHIFT", allow_hyphen_values = true)]
    swizzle: Option<String>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Lang {
    Rust,
    C,
    Cuda,
    Wgsl,
    Mlir,
    Python,
}

pub(crate) fn run(arguments: &EmitArguments, out: &mut dyn Write) -> Outcome {
    let text = shape::text("SHAPE", &arguments.shape)?;
    let failure = |error: EmitError| Failure::usage(error.message()).help(error.help());
    let own = MapText::read("SHAPE", &text, &arguments.given.of_notation()).transpose()?;
    let mut map = match (&own, text.parse::<CuteLayout>()) {
        (Some(own), _) => {
            let cute = own.cute().map(|(cute, _)| cute.to_string());
            let title = cute.unwrap_or_else(|| own.parts().0.to_string());
            IndexMap::of_map(&title, own.parts().0)
        }
        (None, Ok(cute)) => IndexMap::of_map(text.trim(), &map_of_cute(&cute)?),
        (None, Err(_)) => IndexMap::of(&shape::read("SHAPE", &text, &arguments.given)?),
    }
    .map_err(failure)?;
    if let Some(swizzle) = own.as_ref().and_then(|own| own.parts().1) {
        let (bits, base, shift) = swizzle.numbers();
        map = map
            .swizzled(bits.into(), base.into(), shift.into())
            .map_err(failure)?;
    }
    if let Some(text) = &arguments.swizzle {
        let (bits, base, shift) = shape::swizzle(text)?;
        map = map.swizzled(bits, base, shift).map_err(failure)?;
    }
    let language = match arguments.lang {
        Lang::Rust => Language::Rust,
        Lang::C => Language::C,
        Lang::Cuda => Language::Cuda,
        Lang::Wgsl => Language::Wgsl,
        Lang::Mlir => Language::Mlir,
        Lang::Python => Language::Python,
    };
    let mut options = Options::new(language).named(&arguments.name);
    if let Some(bits) = &arguments.bits {
        options = options.wide(bits == "64");
    }
    let functions = Functions::new(&map).map_err(failure)?;
    let code = functions.emit(&options).map_err(failure)?;
    Ok(write!(out, "{code}")?)
}

/// The map of CuTe's text: a coordinate for each mode.
fn map_of_cute(cute: &CuteLayout) -> Result<Map<256>, MapError> {
    let mut sizes = Vec::new();
    let mut digits = Vec::new();
    for dimension in 0..cute.rank() {
        let mut divisor = 1_u64;
        for (size, stride) in cute.digits(dimension) {
            let size = size.unsigned_abs();
            digits.push((dimension as u8, divisor, size, stride));
            divisor = divisor.checked_mul(size).ok_or(MapError::Overflow)?;
        }
        sizes.push(divisor);
    }
    Map::from_modes(&sizes, &digits)
}
