//! Why something is no bitcast.

use crate::ElementType;
use crate::const_text::ConstText;

xlayout_shape::const_error_table! {
/// What keeps a reshape or a transpose from being a bitcast: the first thing that differs.
///
/// ```
/// use xlayout_core::{DynLayout, LayoutError, NotBitcast, SliceView};
/// let a: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// let view = SliceView::new(a, &[0.0_f32; 6][..]).unwrap();
/// let b: DynLayout = "f32[6]".parse().unwrap();
/// let error = view.try_reshape(b).unwrap_err();
/// assert_eq!(error, LayoutError::NoBitcast(NotBitcast::MemoryMap));
/// assert_eq!(
///     error.to_string(),
///     "no bitcast: elements would lie elsewhere in memory; copy the array, or ask for another \
///      layout",
/// );
/// ```
pub enum NotBitcast {
    /// The element types differ.
    ElementType {
        /// That of the input.
        input: ElementType,
        /// That of the output.
        output: ElementType,
    } => (ConstText::new("no bitcast: the element type ", &[])
        .text(input.name())
        .text(" would become ")
        .text(output.name())
        .help("keep the type, or convert the elements", &[]))
    /// The numbers of elements differ.
    Elements {
        /// Those of the input.
        input: usize,
        /// Those of the output.
        output: usize,
    } => ["no bitcast: {} elements would become {}", input, output; "use sizes of the same product"]
    /// An element takes another number of bits in memory.
    ElementBits {
        /// The bits in the input.
        input: usize,
        /// The bits in the output.
        output: usize,
    } => [
        "no bitcast: elements of {} bits would become elements of {}", input, output;
        "write the same E(…)"
    ]
    /// The numbers of allocated elements, padding included, differ.
    Places {
        /// Those of the input.
        input: usize,
        /// Those of the output.
        output: usize,
    } => [
        "no bitcast: {} elements are allocated, padding included, but {} would be", input, output;
        "use a layout that pads alike"
    ]
    /// The arrays lie in different memories, `S(n)`.
    MemorySpace {
        /// That of the input.
        input: i8,
        /// That of the output.
        output: i8,
    } => ["no bitcast: the array would lie in another memory"; "copy it there"]
    /// Dimensions whose size the run time knows would mean something else: the row-major index
    /// counts their run-time sizes but storage is laid out for their bounds, or the header `M(n)`
    /// that lists the sizes would.
    DynamicDimensions => [
        "no bitcast: a dimension whose size only the run time knows would mean something else";
        "keep it as it is, most major among what it is reshaped with"
    ]
    /// The array is cut into parts for several memories, `SC(…)`, and the parts would differ.
    Splits => [
        "no bitcast: the array is cut into parts for several memories, which would be others";
        "reshape without SC(…)"
    ]
    /// The permutation does not list every dimension of the input once, or the sizes of the
    /// output are not the permuted ones.
    Permutation => [
        "no bitcast: the output is no transpose of the input by that permutation";
        "list every dimension of the input once, output.dims[i] = input.dims[permutation[i]]"
    ]
    /// The elements lie elsewhere in memory.
    MemoryMap => [
        "no bitcast: elements would lie elsewhere in memory";
        "copy the array, or ask for another layout"
    ]
}
}
