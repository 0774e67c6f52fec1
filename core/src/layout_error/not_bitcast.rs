//! Why something is no bitcast.

use core::fmt;

use crate::PrimitiveType;
use crate::const_text::ConstText;
use crate::error::{Explain, Say};

/// What keeps a reshape or a transpose from being a bitcast: the first thing that differs.
///
/// ```
/// use xlayout_core::{DynLayout, LayoutError, NotBitcast, View};
/// let a: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// let view = View::new(&[0.0_f32; 6][..], a).unwrap();
/// let b: DynLayout = "f32[6]".parse().unwrap();
/// let error = view.try_reshape(b).unwrap_err();
/// assert_eq!(error, LayoutError::NoBitcast(NotBitcast::MemoryMap));
/// assert_eq!(
///     error.to_string(),
///     "no bitcast: elements would lie elsewhere in memory; copy the array, or ask for another layout",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotBitcast {
    /// The element types differ.
    ElementType {
        /// That of the input.
        input: PrimitiveType,
        /// That of the output.
        output: PrimitiveType,
    },
    /// The numbers of elements differ.
    Elements {
        /// Those of the input.
        input: usize,
        /// Those of the output.
        output: usize,
    },
    /// An element takes another number of bits in memory.
    ElementBits {
        /// The bits in the input.
        input: usize,
        /// The bits in the output.
        output: usize,
    },
    /// The numbers of allocated elements, padding included, differ.
    Places {
        /// Those of the input.
        input: usize,
        /// Those of the output.
        output: usize,
    },
    /// The arrays lie in different memories, `S(n)`.
    MemorySpace {
        /// That of the input.
        input: i8,
        /// That of the output.
        output: i8,
    },
    /// Dimensions whose size the run time knows would mean something else: the row-major index
    /// counts their run-time sizes but storage is laid out for their bounds, or the header `M(n)`
    /// that lists the sizes would.
    DynamicDimensions,
    /// The array is cut into parts for several memories, `SC(…)`, and the parts would differ.
    Splits,
    /// The permutation does not list every dimension of the input once, or the sizes of the
    /// output are not the permuted ones.
    Permutation,
    /// The elements lie elsewhere in memory.
    MemoryMap,
}

impl NotBitcast {
    /// The reason and what to do, as the compiler or a running program says it.
    #[inline]
    pub(crate) const fn text(self) -> ConstText {
        let text = ConstText::new("no bitcast: ", &[]);
        match self {
            Self::ElementType { input, output } => text
                .text("the element type ")
                .text(input.name())
                .text(" would become ")
                .text(output.name())
                .help("keep the type, or convert the elements", &[]),
            Self::Elements { input, output } => text
                .filled("{} elements would become {}", &[input, output])
                .help("use sizes of the same product", &[]),
            Self::ElementBits { input, output } => text
                .filled(
                    "elements of {} bits would become elements of {}",
                    &[input, output],
                )
                .help("write the same E(…)", &[]),
            Self::Places { input, output } => text
                .filled(
                    "{} elements are allocated, padding included, but {} would be",
                    &[input, output],
                )
                .help("use a layout that pads alike", &[]),
            Self::MemorySpace { .. } => text
                .text("the array would lie in another memory")
                .help("copy it there", &[]),
            Self::DynamicDimensions => text
                .text("a dimension whose size only the run time knows would mean something else")
                .help("keep it as it is, most major among what it is reshaped with", &[]),
            Self::Splits => text
                .text("the array is cut into parts for several memories, which would be others")
                .help("reshape without SC(…)", &[]),
            Self::Permutation => text
                .text("the output is no transpose of the input by that permutation")
                .help(
                    "list every dimension of the input once, output.dims[i] = input.dims[permutation[i]]",
                    &[],
                ),
            Self::MemoryMap => text
                .text("elements would lie elsewhere in memory")
                .help("copy the array, or ask for another layout", &[]),
        }
    }
}

impl Explain for NotBitcast {
    fn explain(&self, say: &mut Say<'_>) -> fmt::Result {
        self.text().explain(say)
    }
}

crate::explained!(NotBitcast);
