//! Padding: filled on request, never read by mistake.

use core::ops::Range;

use super::stored::Stored;
use super::unchecked::Inside;
use super::{ArrayBase, SliceStorageMut};
use crate::array_layout::ArrayLayout;
use crate::element::Element;
use crate::layout::PaddingValue;

impl<S: SliceStorageMut<Item: Element>, L: ArrayLayout> ArrayBase<S, L> {
    /// Fills the padding with the layout's padding value; with zero where it names none or an
    /// unknown one.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, SliceViewMut};
    /// let text = "f32[2,3]<0,1>, padded_dimensions = [3, 5], padding_value = one";
    /// let layout: DynLayout = text.parse().unwrap();
    /// let mut data = [7.0_f32; 15];
    /// let mut view = SliceViewMut::new(layout, &mut data[..]).unwrap();
    /// view.fill_padding();
    /// assert_eq!(data[..9], [7.0, 7.0, 1.0, 7.0, 7.0, 1.0, 7.0, 7.0, 1.0]);
    /// assert_eq!(data[9..], [1.0; 6]);
    /// ```
    pub fn fill_padding(&mut self) {
        let value = self
            .layout
            .array_shape()
            .layout
            .and_then(|layout| layout.padding_value);
        self.fill_padding_with(match value {
            Some(PaddingValue::One) => S::Item::ONE,
            Some(PaddingValue::Lowest) => S::Item::LOWEST,
            Some(PaddingValue::Highest) => S::Item::HIGHEST,
            Some(PaddingValue::Zero | PaddingValue::Unknown) | None => S::Item::ZERO,
            Some(_) => unreachable!("there are no other padding values"),
        });
    }
}

impl<S: SliceStorageMut<Item: Stored>, L: ArrayLayout> ArrayBase<S, L> {
    /// Fills the padding with a value. The elements stay as they are, and so does what lies in the
    /// gaps of a [slice](ArrayBase::into_slice): it is the rest of another array.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, Packed};
    /// let layout: DynLayout = "s32[3]{0}, padded_dimensions = [5]".parse().unwrap();
    /// let mut array = Array::from_fn(layout, |_| 1).unwrap();
    /// array.fill_padding_with(-1);
    /// assert_eq!(array.memory(), [1, 1, 1, -1, -1]);
    ///
    /// let packed: DynLayout = "u4[3]{0:T(4)E(4)}".parse().unwrap();
    /// let mut array = Array::<Packed, _>::zeros(packed).unwrap();
    /// array.fill_padding_with(15);
    /// assert_eq!(array.as_bytes(), [0, 0xf0]);
    /// ```
    pub fn fill_padding_with(&mut self, value: <S::Item as Stored>::Number) {
        if !self.layout.owns_padding() || self.layout.is_exhaustive() {
            return;
        }
        let (mut items, layout) = self.items_mut_and_layout();
        // The places of a layout are below the number of those that it allocates.
        let mut fill = |places: Range<usize>| {
            places.for_each(|place| S::Item::write(&mut items, layout, Inside::of(place), value));
        };
        let mut end = 0;
        // Elements come in the sequence of memory, so that what lies between two is padding.
        layout.for_each_in_memory(|_, linear| {
            fill(end..linear);
            end = linear + 1;
        });
        fill(end..layout.buffer_len());
    }
}
