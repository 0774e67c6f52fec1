//! `xlayout emit`: index arithmetic as code.

use std::io::Write;

use xlayout_emit::{Language, Options};

use crate::shape;
use xlayout_command::Outcome;
use xlayout_view::{functions, swizzle_numbers};

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
    let given = arguments.given.of_notation();
    let swizzle = arguments.swizzle.as_deref().map(swizzle_numbers);
    let functions = functions("SHAPE", &text, &given, swizzle.transpose()?)?;
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
    let code = functions
        .emit(&options)
        .map_err(xlayout_view::Error::from)?;
    Ok(write!(out, "{code}")?)
}
