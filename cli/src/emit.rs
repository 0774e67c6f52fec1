//! `xlayout emit`: index arithmetic as code.

use std::io::Write;

use xlayout_emit::{EmitError, Functions, IndexMap, Language, Options};

use crate::failure::{Failure, Outcome};
use crate::{help, shape};

pub(crate) const ABOUT: &str = "\
Write the index arithmetic of a layout as code.

`linear_index` computes where the element of an index lies, in elements, and `multi_index` which index lies there. They are simplified: shifts and \
masks in place of divisions by powers of two, and each common subexpression once.";

/// The arguments of `xlayout emit`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "See `--help` for examples, and how to read a shape.",
    after_long_help = long_help(),
)]
pub(crate) struct Arguments {
    /// The array and its layout, in quotes; `-` reads it from the standard input
    #[arg(value_name = "SHAPE")]
    shape: String,

    #[command(flatten)]
    given: shape::Given,

    /// The language
    #[arg(long, value_name = "LANGUAGE", value_enum)]
    lang: Lang,

    /// The bits of a number: 32 or 64
    ///
    /// Without it, 64 for Rust and C, and 32 for CUDA and WGSL. Integers of Python and MLIR have no width.
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

const EXAMPLES: &str = "\
xlayout emit 'bf16[1000,3000]{1,0:T(8,128)(2,1)}' --lang cuda
    Where a TPU's array has its elements, for a kernel on a GPU
xlayout emit 'f16[64,64]{1,0}' --swizzle 3,3,3 --lang c --name shared
    A tile in shared memory without bank conflicts
xlayout emit 'f32[20,300]{1,0:T(8,128)}' --lang mlir
    The same layout as affine maps";

fn long_help() -> String {
    let examples = help::examples(&help::pairs(EXAMPLES));
    format!("{}\n\n{examples}", help::how_to_read())
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let text = shape::text("SHAPE", &arguments.shape)?;
    let layout = shape::read("SHAPE", &text, &arguments.given)?;
    let failure = |error: EmitError| Failure::usage(error.message()).help(error.help());
    let mut map = IndexMap::of(&layout).map_err(failure)?;
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
