//! Shapes that people write on the command line.

use xlayout::{DynLayout, ElementType, interop};
use xlayout_view::{read_element_type, read_sizes};

use crate::failure::Outcome;

/// What a text may leave out. It may stand before and behind the name of a subcommand.
#[derive(clap::Args, Debug, Default)]
pub struct Given {
    /// The sizes, where the text has none: of 'aBcd16b', 'NCHW16c', 'FRACTAL_NZ', '{0,1}'
    #[arg(long, value_name = "N,N,…", allow_hyphen_values = true, value_parser = read_sizes, global = true)]
    sizes: Option<Box<[i64]>>,

    /// The type of an element, where the text has none: f32
    #[arg(long = "type", value_name = "TYPE", value_parser = read_element_type, global = true)]
    element_type: Option<ElementType>,

    /// The axes of the sizes, for TVM's 'NCHW16c': NCHW
    #[arg(long, value_name = "LETTERS", global = true)]
    axes: Option<String>,
}

impl Given {
    /// The same for the library.
    #[must_use]
    pub fn of_notation(&self) -> interop::Given<'_> {
        interop::Given {
            sizes: self.sizes.as_deref(),
            element_type: self.element_type,
            axes: self.axes.as_deref(),
        }
    }
}

/// Reads an argument as an array with a layout; row-major if the text has no layout.
///
/// # Errors
/// All mistakes of the text, each with carets under it, and a size that is known at run time only.
pub fn read(origin: &str, text: &str, given: &Given) -> Outcome<DynLayout> {
    Ok(xlayout_view::read(origin, text, &given.of_notation())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages describe the array, and do not name items of the library.
    #[test]
    fn refusals_say_what_the_array_is() {
        for (text, words) in [
            ("tensor<*xf32>", "whose dimensions are not known"),
            (
                "memref<2x3xf32, strided<[0, 2]>>",
                "dimension 0 is broadcast",
            ),
            (
                "memref<2x3xf32, strided<[-3, 1], offset: 3>>",
                "runs backwards",
            ),
            ("memref<2x3xf32, strided<[-3, 1]>>", "runs backwards"),
        ] {
            let coloured = read("SHAPE", text, &Given::default())
                .expect_err(text)
                .render();
            let message = anstream::adapter::strip_str(&coloured).to_string();
            assert!(message.contains(words), "{message}");
            assert!(!message.contains("StridedArray"), "{message}");
        }
    }
}
