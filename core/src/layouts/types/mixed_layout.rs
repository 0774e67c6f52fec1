//! Layouts of which the type knows everything but some sizes.

mod terms;

use core::marker::PhantomData;

use super::named::{assert_equal_sizes, check_sizes, sizes_of_type};
use super::parts::{Attributes, Dimensions};
use super::spec::{OrderOf, Spec};
use crate::ElementType;
use crate::array_layout::{ArrayLayout, sealed};
use crate::coordinates::Coordinates;
use crate::dims::{Dim, INLINE_RANK};
use crate::element::DType;
use crate::layout_error::LayoutError;
use crate::layouts::region::known_strides;
use crate::layouts::{own_layout, own_region};
use crate::modes::{
    Count, ElementCounts, Loop, MAX_LOOPS, Mode, NotLowered, Resolved, Source, Table, digits,
    in_byte, nest, sum,
};
use crate::shape::ArrayShape;

/// A layout of which only some sizes are known at run time: what `layout!(f32[?,3]{1,0})` names.
///
/// A value holds one number for each `?`, and nothing else. In an expression `layout!(…)` is the
/// function that makes one from the sizes of all dimensions, [`MixedLayout::with_sizes`].
///
/// ```
/// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, RunTime};
/// use xlayout_core::ArrayLayout;
///
/// // What `layout!(f32[?,3]{1,0})` expands to:
/// type Rows = MixedLayout<f32, (RunTime, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// let layout = Rows::with_sizes([4, 3]).unwrap();
/// assert_eq!(layout.linear_index(&[2, 1]), 7);
/// assert_eq!(layout.bytes(), 48);
/// assert!(Rows::with_sizes([4, 5]).is_err());
/// assert_eq!(size_of::<Rows>(), size_of::<usize>());
/// ```
pub struct MixedLayout<E, D: Dimensions, O, A> {
    values: D::Values,
    marker: PhantomData<fn() -> (E, O, A)>,
}

/// The function that `layout!(f32[?,3]{1,0})` is in an expression: [`MixedLayout::with_sizes`].
///
/// # Errors
/// See there.
#[expect(
    non_snake_case,
    reason = "it goes by the name of the type that it makes"
)]
pub fn MixedLayout<E: DType, D: Dimensions, O: OrderOf, A: Attributes>(
    all_sizes: D::Coordinates,
) -> Result<MixedLayout<E, D, O, A>, LayoutError> {
    MixedLayout::with_sizes(all_sizes)
}

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> MixedLayout<E, D, O, A> {
    const TABLE: &'static Table = Spec::<E, D, O, A>::TABLE;
    const MODES: &'static [Mode] = Self::TABLE.used_modes();

    /// The layout with these sizes, dimension 0 first.
    ///
    /// # Errors
    /// - Sizes of one name differ (`?N`; `?_` is any size).
    /// - A size is not the one that the type fixes, is above the padded width, or is too small for
    ///   a split.
    /// - The elements or the bytes are more than the target can address ([`NotLowered::TooLarge`],
    ///   [`NotLowered::EmptyTooLarge`]).
    #[doc(alias = "new")]
    pub fn with_sizes(all_sizes: D::Coordinates) -> Result<Self, LayoutError> {
        let values = sizes_of_type::<D>(&all_sizes)?;
        check_sizes::<D>(&all_sizes)?;
        let padded = Spec::<E, D, O, A>::SOURCE.padded_dimensions;
        for (dimension, (&size, &width)) in all_sizes.as_ref().iter().zip(padded).enumerate() {
            if size as u64 > width as u64 {
                return Err(LayoutError::AboveBound {
                    dimension,
                    size,
                    bound: width as usize,
                });
            }
        }
        if const { !Spec::<E, D, O, A>::SOURCE.splits.is_empty() } {
            let mut dims = [Dim::Unbounded; INLINE_RANK];
            for (dim, &size) in dims.iter_mut().zip(all_sizes.as_ref()) {
                *dim = Dim::Static(i64::try_from(size).map_err(|_| NotLowered::TooLarge)?);
            }
            Source {
                dims: &dims[..D::SIZES.len()],
                ..Spec::<E, D, O, A>::SOURCE
            }
            .check()?;
        }
        let layout = Self {
            values,
            marker: PhantomData,
        };
        layout.checked_numbers()?;
        Ok(layout)
    }

    /// The shape of the type, with `?` for the sizes that it does not know.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, RunTime};
    ///
    /// // layout!(f32[?,3]{1,0})
    /// type Rows = MixedLayout<f32, (RunTime, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// assert_eq!(Rows::pattern().to_string(), "f32[?,3]{1,0}");
    /// ```
    #[must_use]
    pub fn pattern() -> ArrayShape {
        Spec::<E, D, O, A>::shape(&[])
    }

    /// The layout with sizes that another layout of the same memory had, so that they fit.
    pub(super) fn with_checked_sizes(sizes: &D::Coordinates) -> Self {
        Self {
            values: D::hold(sizes),
            marker: PhantomData,
        }
    }

    /// The run-time extents, the most minor first.
    #[inline(always)]
    fn extents(sizes: &[usize]) -> impl Iterator<Item = usize> {
        let count = Self::TABLE.filled.run_time;
        Self::TABLE.run_time[..count]
            .iter()
            .map(|extent| extent.of(sizes))
    }

    /// Elements, allocated elements and bytes: by the same check as those of a layout that the type
    /// or the run time knows as a whole.
    fn checked_numbers(&self) -> Result<ElementCounts, NotLowered> {
        let sizes = D::sizes(self.values);
        let times = |count: Count, size: usize| count.times(size);
        let elements = sizes.as_ref().iter().copied().fold(Count::ONE, times);
        let buffer_len = Self::extents(sizes.as_ref()).fold(Self::TABLE.filled.buffer_len, times);
        ElementCounts::new(&Spec::<E, D, O, A>::SOURCE, elements, buffer_len)
    }

    /// The numbers, which were found to fit when the value was made. A product that fits is right
    /// whatever its parts do on the way, so nothing is checked again.
    fn numbers(&self) -> ElementCounts {
        let sizes = D::sizes(self.values);
        let times = |count: usize, size: usize| count.wrapping_mul(size);
        let elements = sizes.as_ref().iter().copied().fold(1, times);
        let known_len = Self::TABLE.filled.buffer_len.value();
        let buffer_len = Self::extents(sizes.as_ref()).fold(known_len, times);
        let alignment = Spec::<E, D, O, A>::GATHERED.tail_alignment as usize;
        ElementCounts {
            elements,
            buffer_len: buffer_len.wrapping_add(alignment - 1) / alignment * alignment,
            element_bits: Self::TABLE.numbers.element_bits,
        }
    }
}

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> ArrayLayout for MixedLayout<E, D, O, A> {
    type Type = E;
    type Coordinates = D::Coordinates;
    const FIXED_SIZES: bool = false;
    const LOWERED: () = {
        let _checked = Self::TABLE;
    };
    const KNOWN_DIMS: &'static [Dim] = D::DIMS;
    const MERGES: bool = Self::TABLE.filled.terms > 0;
    const KNOWN_MODES: &'static [Mode] = if Self::MERGES { &[] } else { Self::MODES };
    const IN_BYTE: usize = in_byte(Self::TABLE.numbers.element_bits);
    own_region! { self }
    own_layout! { self }

    #[inline(always)]
    fn stride_of(&self, mode: &Mode) -> usize {
        mode.stride
            .wrapping_mul(Self::product(&D::sizes(self.values), mode.run_time))
    }

    #[inline(always)]
    fn element_type(&self) -> ElementType {
        E::TYPE
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        D::SIZES.len()
    }

    #[inline(always)]
    fn shape(&self) -> D::Coordinates {
        D::sizes(self.values)
    }

    #[inline(always)]
    fn in_bounds_again(&self, index: &D::Coordinates) -> bool {
        let sizes = D::sizes(self.values);
        // The values of this type differ in the sizes of a `?` only.
        macro_rules! all {
            ($($k:literal)*) => {
                $((const { D::DIMS.len() <= $k || !matches!(D::DIMS[$k], Dim::Unbounded) }
                    || index.coordinate($k) < sizes.coordinate($k)) &&)* true
            };
        }
        all!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    }

    #[inline(always)]
    fn linear_index(&self, index: &D::Coordinates) -> usize {
        sum(self, index)
    }

    #[inline]
    fn multi_index(&self, linear_index: usize) -> Option<D::Coordinates> {
        self.with_resolved(sealed::Token, |resolved| resolved.multi_index(linear_index))
    }

    #[inline(always)]
    fn multi_index_of_element(&self, linear_index: usize) -> D::Coordinates {
        if const { Self::TABLE.filled.terms > 0 } {
            // The caller's number may be wrong: then the answer is some index.
            let found = self.multi_index(linear_index);
            return found.unwrap_or_else(|| Coordinates::origin(D::SIZES.len()));
        }
        digits(self, D::SIZES.len(), linear_index)
    }

    #[inline]
    fn with_resolved<R>(&self, _: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        let sizes = D::sizes(self.values);
        let numbers = self.numbers();
        let mut modes = Self::TABLE.modes;
        // Without elements there is nothing to find.
        let (used, terms) = match numbers.elements {
            0 => (0, &[][..]),
            _ => (
                terms::resolve(Self::TABLE, sizes.as_ref(), &mut modes),
                Self::TABLE.used_terms(),
            ),
        };
        use_(Resolved {
            sizes: sizes.as_ref(),
            modes: &modes[..used],
            terms,
            numbers,
        })
    }

    fn array_shape(&self) -> ArrayShape {
        Spec::<E, D, O, A>::shape(D::sizes(self.values).as_ref())
    }

    // Counting needs no table of modes.

    #[inline]
    fn elements(&self) -> usize {
        self.numbers().elements
    }

    #[inline]
    fn buffer_len(&self) -> usize {
        self.numbers().buffer_len
    }

    #[inline(always)]
    fn element_bits(&self) -> usize {
        Self::TABLE.numbers.element_bits
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.numbers().bytes()
    }

    fn strides(&self) -> Option<D::Coordinates> {
        let sizes = D::sizes(self.values);
        if sizes.as_ref().iter().all(|&size| size > 1)
            && let Some(strides) = known_strides(self, &sizes)
        {
            return Some(strides);
        }
        // From the shape's own table, which merges and drops digits for these very sizes.
        crate::layouts::strides_of(&self.array_shape())
    }

    #[inline(always)]
    fn for_each_in_memory(&self, mut visit: impl FnMut(&D::Coordinates, usize)) {
        self.with_resolved(sealed::Token, |resolved| {
            let modes = resolved.modes;
            if !resolved.terms.is_empty()
                || modes.len() > MAX_LOOPS
                || resolved.numbers.elements == 0
            {
                return resolved.for_each(&mut visit);
            }
            nest::<Self, _>(
                &Loop::all(modes, resolved.sizes),
                resolved.sizes.len(),
                &mut visit,
            );
        });
    }
}

crate::by_value! { [E, D: Dimensions, O, A] MixedLayout<E, D, O, A>: Copy Hash = |it| D::sizes(it.values) }

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> MixedLayout<E, D, O, A> {
    /// The same layout with other names for its `?`, or with none. It is no other memory.
    ///
    /// The names follow from where the layout is used, or are given:
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, Named, RunTime};
    ///
    /// // layout!(f32[?M,3]{1,0}) and layout!(f32[?,3]{1,0})
    /// type Rows = MixedLayout<f32, (Named<'M'>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// type Plain = MixedLayout<f32, (RunTime, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let rows = Rows::with_sizes([4, 3])?;
    /// let plain: Plain = rows.renamed();
    /// assert_eq!(plain.renamed::<(Named<'M'>, Nat<3>)>(), rows);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// Sizes of one name are equal. So dimensions get one name only if they have one name already;
    /// otherwise [`with_sizes`](Self::with_sizes) of the other layout is needed, which checks the
    /// sizes:
    ///
    /// ```compile_fail
    /// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, Named, RunTime};
    ///
    /// // layout!(f32[?,?]{1,0})
    /// type Any = MixedLayout<f32, (RunTime, RunTime), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let square = Any::with_sizes([2, 3]).unwrap().renamed::<(Named<'N'>, Named<'N'>)>();
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn renamed<Names>(self) -> MixedLayout<E, Names, O, A>
    where
        Names: Dimensions<Coordinates = D::Coordinates, Unnamed = D::Unnamed>,
    {
        const { assert_equal_sizes(D::NAMES, Names::NAMES) };
        MixedLayout::with_checked_sizes(&crate::ArrayLayout::shape(&self))
    }
}
