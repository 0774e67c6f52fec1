//! Plans: what two layouts decide, made once for any number of copies.
#![allow(unsafe_code)]

mod chunks;
mod ends;

use alloc::boxed::Box;
use xlayout_core::{ArrayLayout, Element, ElementType, dtype::DType};

pub use chunks::{Chunk, Chunks};
pub use ends::CopySource;

use crate::error::{End, RelayoutError};
use crate::kernels::{Run, cost::Choice};
#[cfg(feature = "std")]
use crate::learn::{Lessons, Pages};
use crate::padding::Fill;
use crate::piece::Share;
use crate::side::{Identity, Side, same_array, sizes_of};
use crate::strides;
use crate::way::Way;

/// The addresses of both sides.
pub(crate) type Ends = (*const u8, *mut u8);

/// A plan to copy arrays from one layout to another. It is made once, and run for each array.
///
/// A plan is `Send`, `Sync` and cheap to clone, and describes itself when it is printed
/// ([`on`](Self::on) a machine it tells more). Make it with [`Plan::new`] for two layouts, or
/// [`Plan::from_strided`] for a source at strides of bytes. Run it with [`run`](Self::run) on
/// slices, [`run_bytes`](Self::run_bytes) on bytes of any alignment, [`run_views`](Self::run_views)
/// on views; with [`run_threads`](Self::run_threads), `run_parallel` (feature `rayon`) or
/// [`chunks`](Self::chunks) on several threads.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::Plan;
///
/// let rows: DynLayout = "f32[2,3]{1,0}".parse().unwrap();
/// let columns: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// let plan = Plan::new(&rows, &columns).unwrap();
///
/// let mut out = [0.0_f32; 6];
/// plan.run(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut out).unwrap();
/// assert_eq!(out, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// ```
#[derive(Clone)]
#[doc(alias = "TransposePlan")]
pub struct Plan {
    pub(crate) way: Way,
    /// The bytes of the source's buffer, which may be longer.
    src_bytes: usize,
    dst_bytes: usize,
    elements: usize,
    pub(crate) fill: Option<Fill>,
    /// The bytes of elements that are written, and the measured choice.
    run: Run,
    /// What plans of this class have learned; `None` if there is nothing to learn, or if the
    /// strategy is fixed.
    #[cfg(feature = "std")]
    lessons: Option<Lessons>,
    pub(crate) identity: Box<Identity>,
}

impl Plan {
    /// Makes the plan for copies from one layout to another of the same logical array: the same
    /// element type and the same sizes.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// let a: DynLayout = "bf16[4096,4096]{1,0}".parse().unwrap();
    /// let b: DynLayout = "bf16[4096,4096]{1,0:T(8,128)(2,1)}".parse().unwrap();
    /// let plan = Plan::new(&a, &b).unwrap();
    /// assert_eq!(plan.bytes(), 2 << 24);
    /// ```
    ///
    /// # Errors
    /// If the element types or the sizes differ, or elements would lose bits.
    pub fn new(src: &impl ArrayLayout, dst: &impl ArrayLayout) -> Result<Self, RelayoutError> {
        let (sizes, from, to) = Identity::sides(src, dst)?;
        Self::of(Identity {
            sizes,
            src: from,
            dst: to,
            src_shape: Some(src.array_shape()),
            dst_shape: dst.array_shape(),
        })
    }

    /// Makes the plan for copies from an array at any strides in bytes, also negative and zero
    /// ones, as numpy and DLPack give them. `byte_offset` is the offset of the element at the
    /// origin; nothing needs to be aligned. In the source, elements of packed types take a byte
    /// each.
    ///
    /// The bytes that the source needs are computed here, and compared with its length when the
    /// plan runs.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, ElementType};
    /// use xlayout_relayout::Plan;
    ///
    /// // The rows of a 2 x 3 array from the last to the first: numpy's `a[::-1]`.
    /// let dst: DynLayout = "s16[2,3]{1,0}".parse().unwrap();
    /// let plan = Plan::from_strided(&[2, 3], &[-6, 2], 6, ElementType::S16, &dst).unwrap();
    /// let mut out = [0_i16; 6];
    /// plan.run(&[1, 2, 3, 4, 5, 6], &mut out).unwrap();
    /// assert_eq!(out, [4, 5, 6, 1, 2, 3]);
    /// ```
    ///
    /// # Errors
    /// If the sizes or the element type are not those of the destination, or strides lead before
    /// the first byte.
    pub fn from_strided(
        dims: &[usize],
        byte_strides: &[isize],
        byte_offset: usize,
        element_type: ElementType,
        dst: &impl ArrayLayout,
    ) -> Result<Self, RelayoutError> {
        let sizes = dst.shape();
        same_array((element_type, dims), (dst.element_type(), sizes.as_ref()))?;
        let side = strides::side(dims, byte_strides, byte_offset, element_type)?;
        Self::of(Identity {
            sizes: sizes_of(dims),
            src: side,
            dst: Side::of(dst, End::Destination)?,
            src_shape: None,
            dst_shape: dst.array_shape(),
        })
    }

    pub(crate) fn of(identity: Identity) -> Result<Self, RelayoutError> {
        let sizes = &identity.sizes;
        let src = &identity.src;
        let dst = &identity.dst;
        let way = Way::new(sizes, src, dst)?;
        let elements = match way {
            Way::Nothing => 0,
            _ => sizes.iter().product(),
        };
        // No overflow: they lie in the destination.
        let total = (elements as u128 * dst.bits as u128).div_ceil(8) as usize;
        let run = way.prepared(Run::of(total));
        Ok(Self {
            #[cfg(feature = "std")]
            lessons: Lessons::new(&way, total, 1, Pages::Known),
            way,
            src_bytes: src.bytes,
            dst_bytes: dst.bytes,
            run,
            elements,
            fill: None,
            identity: Box::new(identity),
        })
    }

    /// Returns the same plan, which also fills the padding of the destination with a value. It
    /// never overwrites elements. Without it padding is not written.
    ///
    /// A [slice](xlayout_core::ArrayBase::into_slice) with gaps has no padding: its gaps hold the
    /// rest of the array that was sliced, and are not written.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// let a: DynLayout = "u8[2,3]{1,0}".parse().unwrap();
    /// let b: DynLayout = "u8[2,3]{1,0:T(2,4)}".parse().unwrap();
    /// let plan = Plan::new(&a, &b).unwrap().fill_padding(9_u8).unwrap();
    /// let mut out = [0_u8; 8];
    /// plan.run(&[1, 2, 3, 4, 5, 6], &mut out).unwrap();
    /// assert_eq!(out, [1, 2, 3, 9, 4, 5, 6, 9]);
    /// ```
    ///
    /// # Errors
    /// If the value is not as wide as an element (packed elements take the low bits of a `u8`), or
    /// is not a `bool` if the elements are of type `pred`.
    pub fn fill_padding<T: Element>(mut self, value: T) -> Result<Self, RelayoutError> {
        let dst = &self.identity.dst;
        let expected = dst.bits.div_ceil(8);
        let found = size_of::<T>();
        if expected != found {
            return Err(RelayoutError::Padding { expected, found });
        }
        // A plan may run on slices of `bool`, so every value that it writes must be 0 or 1.
        let of_value = <T::Type as DType>::TYPE;
        if dst.element_type == ElementType::Pred && dst.bits == 8 && of_value != ElementType::Pred {
            return Err(RelayoutError::NotPred { found: of_value });
        }
        if !dst.owns_padding {
            return Ok(self);
        }
        self.fill = Some(Fill::of(value));
        Ok(self)
    }

    /// The same plan with a strategy in every run, for the nests that it fits.
    pub(crate) fn with(mut self, choice: impl Into<Option<Choice>>) -> Self {
        self.run = self.way.prepared(self.run.with(choice.into()));
        #[cfg(feature = "std")]
        {
            self.lessons = None;
        }
        self
    }

    /// Returns the same plan, but every run copies by the same strategy, the best that was learned
    /// or measured so far: for programs that need the same time in every run.
    ///
    /// ```
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    /// let a: DynLayout = "f32[300,200]{1,0}".parse().unwrap();
    /// let b: DynLayout = "f32[300,200]{0,1}".parse().unwrap();
    /// let plan = Plan::new(&a, &b).unwrap().without_learning();
    /// assert_eq!(plan.tried(), 0);
    /// ```
    #[must_use]
    pub fn without_learning(self) -> Self {
        let choice = self.current().choice;
        self.with(choice)
    }

    /// The number of strategies that were timed so far, in runs of plans for copies of this class.
    /// Each run of a plan copies by one of them, until the fastest is known: see [the
    /// crate](crate#plans-learn).
    #[must_use]
    pub fn tried(&self) -> usize {
        #[cfg(feature = "std")]
        if let Some(lessons) = &self.lessons {
            return lessons.tried();
        }
        0
    }

    /// What plans of this class have learned of copies on `threads` threads, to memory of this
    /// kind; `None` if this plan does not learn.
    #[cfg(feature = "std")]
    pub(crate) fn lessons_of(&self, threads: usize, pages: Pages) -> Option<Lessons> {
        self.lessons.as_ref()?;
        Lessons::new(&self.way, self.bytes(), threads, pages)
    }

    /// The data of a run beside the way, without what was learned.
    pub(crate) const fn fixed(&self) -> &Run {
        &self.run
    }

    /// The data of a run beside the way, with the choice that was measured or learned.
    pub(crate) fn current(&self) -> Run {
        #[cfg(feature = "std")]
        if let Some(lessons) = &self.lessons {
            return self.run.with(lessons.learned());
        }
        self.run
    }

    /// The bytes of elements that a run writes, without padding.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.run.total
    }

    /// The number of elements that a run copies.
    #[must_use]
    pub const fn elements(&self) -> usize {
        self.elements
    }

    /// Returns the bytes that the slice of the source must have (for strides: at least), and those
    /// that the slice of the destination must have, both with padding.
    #[must_use]
    pub const fn buffers(&self) -> (usize, usize) {
        (self.src_bytes, self.dst_bytes)
    }

    /// Copies one of several shares of the elements.
    ///
    /// # Safety
    /// The elements of the source can be read, and those of the share in the destination can be
    /// written. They have no byte in common, and nothing else uses those of the share in the
    /// destination.
    pub(crate) unsafe fn run_part(&self, src: *const u8, dst: *mut u8, share: Share) {
        // SAFETY: the caller's promise.
        unsafe { self.way.run(src, dst, &self.current(), share) }
    }

    pub(crate) fn bytes_of_part(&self, share: Share) -> usize {
        let dst = &self.identity.dst;
        let elements = self.way.elements_of_part(dst.unit_of_element(), share);
        (elements as u128 * dst.bits as u128).div_ceil(8) as usize
    }

    /// Fills the padding, if [`fill_padding`](Self::fill_padding) was called.
    ///
    /// # Safety
    /// The destination has the length that `check` asks for. Nothing else uses its padding nor,
    /// if elements are packed, any of its bytes.
    pub(crate) unsafe fn fill_raw(&self, dst: *mut u8) {
        let Some(fill) = self.fill else { return };
        let identity = &*self.identity;
        // SAFETY: the caller's promise; only a side that owns its padding has a value for it.
        unsafe {
            fill.write(
                &identity.dst,
                &identity.dst_shape,
                identity.sizes.as_slice(),
                dst,
            )
        };
    }
}
