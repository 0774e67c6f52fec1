//! Arrays in files.

use xlayout::interop::NumpyOrder;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout, PrimitiveType};

/// An array that a file holds.
pub(super) struct Array {
    /// Only tensors have names.
    pub(super) name: Option<String>,
    pub(super) layout: DynLayout,
    /// Where it begins, in bytes.
    pub(super) offset: u64,
    /// The number of the file that it is in.
    pub(super) file: usize,
    /// The bytes of a number, where they are stored most significant first.
    pub(super) swap: Option<usize>,
}

impl Array {
    /// An array without a name, in the first file.
    pub(super) fn new(layout: DynLayout, offset: u64) -> Self {
        Self {
            name: None,
            layout,
            offset,
            file: 0,
            swap: None,
        }
    }
}

/// A dense array; `None` where it is too large.
pub(super) fn dense(
    element_type: PrimitiveType,
    sizes: &[i64],
    order: NumpyOrder,
) -> Option<DynLayout> {
    let mut shape = ArrayShape::new(element_type, sizes).ok()?;
    shape.layout = Some(Layout::new(order.minor_to_major(sizes.len()).ok()?));
    DynLayout::new(shape).ok()
}

/// The sizes as signed numbers; `None` where one is too large.
pub(super) fn signed<T: Copy + TryInto<i64>>(sizes: &[T]) -> Option<Vec<i64>> {
    sizes.iter().map(|size| (*size).try_into().ok()).collect()
}

/// The same array in one of NumPy's orders and not packed; `None` where it is too large.
pub(super) fn in_order(layout: &DynLayout, order: NumpyOrder) -> Option<DynLayout> {
    dense(layout.element_type(), &signed(layout.dims())?, order)
}

/// Whether two layouts of one array put every element into the same bytes (law 6), in as many bytes.
pub(super) fn same_memory(a: &DynLayout, b: &DynLayout) -> bool {
    let empty = a.elements() == 0 && b.elements() == 0;
    let elements = empty || (a.mode_table() == b.mode_table() && a.terms() == b.terms());
    elements && a.bytes() == b.bytes() && a.element_bits() == b.element_bits()
}

/// The shape as XLA writes it.
pub(super) fn text(layout: &DynLayout) -> String {
    layout.array_shape().to_string()
}
