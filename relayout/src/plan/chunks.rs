//! Copies in chunks, for the caller's own threads and progress bars.
#![allow(unsafe_code)]

use core::marker::PhantomData;

use xlayout_core::{ArrayLayout, ArrayRef, Element};

use crate::error::RelayoutError;
use crate::piece::Share;
use crate::plan::{Ends, Plan};
use crate::way::Way;

impl Plan {
    /// Divides the copy into at most `most` chunks, which may run in any sequence and on any
    /// threads. There are fewer if a chunk would be smaller than a kilobyte, and one if the plan
    /// packs elements into bytes in another sequence. If padding is to be filled, this call fills
    /// it.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn chunks<'a, T: Element>(
        &'a self,
        src: &'a [T],
        dst: &'a mut [T],
        limit: usize,
    ) -> Result<Chunks<'a>, RelayoutError> {
        // SAFETY: just checked. The borrows last for `'a`, and that of the destination is unique.
        Ok(unsafe { Chunks::new(self, self.of_slices(src, dst)?, self.parts(limit)) })
    }

    /// As [`chunks`](Self::chunks), for bytes of any alignment.
    ///
    /// # Errors
    /// As [`run_bytes`](Self::run_bytes).
    pub fn chunks_bytes<'a>(
        &'a self,
        src: &'a [u8],
        dst: &'a mut [u8],
        limit: usize,
    ) -> Result<Chunks<'a>, RelayoutError> {
        // SAFETY: as in `chunks`.
        Ok(unsafe { Chunks::new(self, self.of_bytes(src, dst)?, self.parts(limit)) })
    }

    /// As [`chunks`](Self::chunks), from view to view as [`run_views`](Self::run_views): a view may
    /// be a [part](xlayout_core::View) of an array.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// use xlayout_relayout::Plan;
    /// let whole: DynLayout = "f32[100,90]{1,0}".parse().unwrap();
    /// let whole = Array::from_fn(whole, |at| (100 * at[0] + at[1]) as f32).unwrap();
    /// let part = whole.with_step::<1>(.., -2).unwrap(); // whole[:, ::-2] in NumPy
    /// let tiles: DynLayout = "f32[100,45]{1,0:T(8,128)}".parse().unwrap();
    /// let mut tiles = Array::zeros(tiles).unwrap();
    /// let plan = Plan::new(part.layout(), tiles.layout()).unwrap();
    /// for chunk in plan.chunks_views(&part, &mut tiles, 4).unwrap() {
    ///     chunk.run();
    /// }
    /// assert_eq!(tiles[[99, 44]], 9901.0);
    /// ```
    ///
    /// # Errors
    /// As [`run_views`](Self::run_views).
    pub fn chunks_views<'a, T: Element, A: ArrayLayout, B: ArrayLayout>(
        &'a self,
        src: &'a ArrayRef<T, A>,
        dst: &'a mut ArrayRef<T, B>,
        limit: usize,
    ) -> Result<Chunks<'a>, RelayoutError> {
        // SAFETY: as in `chunks`.
        Ok(unsafe { Chunks::new(self, self.of_views(src, dst)?, self.parts(limit)) })
    }

    /// The number of chunks of elements, if the caller asks for `limit`.
    pub(crate) fn parts(&self, limit: usize) -> usize {
        match &self.way {
            Way::Nothing => 0,
            Way::Bits(boxed) if !boxed.is_divisible() => 1,
            Way::General(_) if self.identity.dst.is_packed() => 1,
            _ => limit.clamp(1, 1 + self.bytes() / 1024),
        }
    }
}

/// A copy in chunks that may run in any sequence, and at the same time. [`Plan::chunks`] returns
/// it.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_relayout::Plan;
///
/// let a: DynLayout = "f32[1000,300]{1,0}".parse().unwrap();
/// let b: DynLayout = "f32[1000,300]{0,1}".parse().unwrap();
/// let plan = Plan::new(&a, &b).unwrap();
/// let (src, mut dst) = (vec![1.0_f32; 300_000], vec![0.0_f32; 300_000]);
///
/// let mut done = 0;
/// for chunk in plan.chunks(&src, &mut dst, 8).unwrap() {
///     done += chunk.bytes();
///     chunk.run();
///     // `done` of `plan.bytes()`: a progress bar.
/// }
/// assert_eq!(done, plan.bytes());
/// assert_eq!(dst, src);
/// ```
#[derive(Debug)]
pub struct Chunks<'a> {
    chunk: Chunk<'a>,
}

/// One chunk of a copy, to run on any thread. [`Chunks`] returns it and has an example.
#[derive(Debug)]
pub struct Chunk<'a> {
    plan: &'a Plan,
    src: *const u8,
    dst: *mut u8,
    share: Share,
    buffers: PhantomData<(&'a [u8], &'a mut [u8])>,
}

// SAFETY: By the promise to `Chunks::new`, the elements of the source are borrowed to be read, and
// those of the destination are borrowed by this copy only, both by any thread. An element is a
// plain number (`Element`), so a thread may write what another thread owns. What is left to prove
// is that no two chunks write one byte, and that no chunk reads or writes other bytes than those of
// elements.
// 1. An index is in one chunk. `piece` puts every step of a nest into one piece (its test), the
//    boxes of a refinement have no index in common, and `General` puts every outer step with a
//    block of the inner dimension into one range.
// 2. Distinct indices have distinct offsets in the destination (`SIDE`, 3): `Side::of` refuses a
//    destination that is not unique, a part of a broadcast array too.
// 3. So they have bytes of their own where an element takes whole bytes. Where it does not, there
//    is one chunk (`Plan::parts`), or every step of the one nest moves whole bytes but those of
//    runs, and of at most one loop of single elements that follow each other. These are cut at
//    whole bytes (`Boxed::is_divisible`), and since the other steps move whole bytes, elements
//    beside a cut are in different bytes. `check_chunks` in `tests/support` looks at the bytes of
//    each chunk.
// 4. Padding is filled before the first chunk.
// 5. Kernels touch the bytes of elements only (the contract of `kernels::run`), so the elements of
//    other parts of the array, which may lie between them, are left to other threads.
unsafe impl Send for Chunk<'_> {}
// SAFETY: a shared chunk only gives numbers.
unsafe impl Sync for Chunk<'_> {}

impl<'a> Chunks<'a> {
    /// # Safety
    /// For `'a`, any thread may read the elements of the source at `src`, and any thread may write
    /// those of the destination at `dst`, and its padding if the plan fills it; nothing else uses
    /// these. The elements of both sides have no byte in common.
    pub(crate) unsafe fn new(plan: &'a Plan, (src, dst): Ends, parts: usize) -> Self {
        let chunk = Chunk {
            plan,
            src,
            dst,
            share: Share { part: 0, parts },
            buffers: PhantomData,
        };
        // SAFETY: the caller's promise; no chunk runs yet.
        unsafe { plan.fill_raw(dst) };
        Self { chunk }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        let share = self.chunk.share;
        let is_one = share.part < share.parts;
        self.chunk.share.part += usize::from(is_one);
        is_one.then_some(Chunk {
            share,
            ..self.chunk
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let Share { part, parts } = self.chunk.share;
        let left = parts - part;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Chunks<'_> {}
impl core::iter::FusedIterator for Chunks<'_> {}

impl Chunk<'_> {
    /// Copies the elements of the chunk.
    pub fn run(self) {
        // SAFETY: the promise to `Chunks::new`; this chunk is the only one with this number, and it
        // is consumed.
        unsafe { self.plan.run_part(self.src, self.dst, self.share) }
    }

    /// The bytes of elements that this chunk writes. The sum over all chunks is [`Plan::bytes`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.plan.bytes_of_part(self.share)
    }
}
