//! Copies between strides in bytes: for authors of array libraries, who have pointers and no
//! layouts.
//!
//! ```text
//! for each dimension: count it from its other end where its stride in the destination is negative
//!                     drop it where it has one step
//! sort the dimensions by their stride in the destination
//! each stride is at least as long as what the smaller ones span: no two elements overlap
//! otherwise `xlayout_algebra` decides: a collision of the map from bytes of elements to bytes of
//!     the destination is refused
//! the first MAX_LOOPS dimensions are one nest of loops; the others, if there are any, run around
//!     it
//! ```
#![allow(unsafe_code)]

use xlayout_algebra::{Budget, MAX_DIMENSIONS, Map};
use xlayout_core::strided_reach;

use crate::error::{End, RelayoutError};
#[cfg(feature = "std")]
use crate::kept::{self, Key};
use crate::kernels;
use crate::kernels::Run;
use crate::kernels::task::Task;
use crate::nest::{Loop, Loops, MAX_LOOPS, Nest, each};
use crate::one_off::learn;
use crate::side::same_count;
#[cfg(feature = "std")]
use crate::way::Way;

/// Copies an array between strides in bytes. All sides have these `sizes`, and elements of `width`
/// bytes.
///
/// Each slice begins with the element of the lowest address. If a stride is negative, the element
/// at the origin is therefore not at the beginning. Strides of the source may be negative or zero.
/// Those of the destination may be negative; no two of its elements may overlap. Dimensions of size
/// 1 may have any stride.
///
/// A call plans the copy, which takes less than a microsecond, and copies. Each thread keeps the
/// plans of its last copies: with the feature `std` the third call of a kind does not plan. Large
/// copies learn, as runs of a [`Plan`](crate::Plan) do.
///
/// ```
/// use xlayout_relayout::copy_strided;
///
/// // A 2 x 3 array of two bytes: the source has its rows from the last to the first, the
/// // destination by columns.
/// let src = [7, 0, 8, 0, 9, 0, 1, 0, 2, 0, 3, 0];
/// let mut dst = [0; 12];
/// copy_strided(&mut dst, &[2, 4], &src, &[-6, 2], &[2, 3], 2)?;
/// assert_eq!(dst, [1, 0, 7, 0, 2, 0, 8, 0, 3, 0, 9, 0]);
/// # Ok::<(), xlayout_relayout::RelayoutError>(())
/// ```
///
/// # Errors
/// - [`RelayoutError::Strides`]: a list of strides is not as long as `sizes`.
/// - [`RelayoutError::TooLarge`]: strides lead further than an `isize` counts.
/// - [`RelayoutError::Short`]: a slice ends before the last element.
/// - [`RelayoutError::Overlapping`]: two elements of the destination overlap. Where the answer
///   takes more work than [`Budget::DEFAULT`](xlayout_algebra::Budget::DEFAULT), they count as
///   overlapping.
pub fn copy_strided(
    dst: &mut [u8],
    dst_strides: &[isize],
    src: &[u8],
    src_strides: &[isize],
    sizes: &[usize],
    width: usize,
) -> Result<(), RelayoutError> {
    let origin = |end, strides: &[isize], found| {
        let (before, behind) = strided_extent(sizes, strides, width, end)?;
        // Both are at most the largest `isize`.
        let needed = before + behind;
        if found < needed {
            return Err(RelayoutError::Short { end, needed, found });
        }
        Ok(before)
    };
    let from = origin(End::Source, src_strides, src.len())?;
    let to = origin(End::Destination, dst_strides, dst.len())?;
    let src = src.as_ptr().wrapping_add(from);
    let dst = dst.as_mut_ptr().wrapping_add(to);
    // SAFETY: by `strided_extent` all elements lie in the slices, which do not overlap.
    unsafe { copy_strided_unchecked(dst, dst_strides, src, src_strides, sizes, width) }
}

/// Returns how many bytes the elements take before the element at the origin, and how many from its
/// first byte on.
///
/// # Errors
/// [`RelayoutError::Strides`] and [`RelayoutError::TooLarge`], as [`copy_strided`].
pub fn strided_extent(
    sizes: &[usize],
    strides: &[isize],
    width: usize,
    end: End,
) -> Result<(usize, usize), RelayoutError> {
    same_count(sizes.len(), strides.len())?;
    strided_reach(sizes, strides, width)
        .filter(|(before, behind)| before + behind <= isize::MAX as usize)
        .ok_or(RelayoutError::TooLarge { end })
}

/// As [`copy_strided`], from and to pointers. Both point to the element at the origin.
///
/// # Safety
/// Each element of the source can be read, and each one of the destination written: the bytes that
/// [`strided_extent`] gives, but for those between the elements. The elements of both sides have no
/// byte in common, and nothing else uses those of the destination, or writes those of the source,
/// during the call.
///
/// # Errors
/// As [`copy_strided`], but for [`RelayoutError::Short`].
pub unsafe fn copy_strided_unchecked(
    dst: *mut u8,
    dst_strides: &[isize],
    src: *const u8,
    src_strides: &[isize],
    sizes: &[usize],
    width: usize,
) -> Result<(), RelayoutError> {
    #[cfg(feature = "std")]
    if sizes.len() == src_strides.len() && sizes.len() == dst_strides.len() {
        let strides = src_strides.iter().copied();
        let strides = strides.zip(dst_strides.iter().copied());
        let key = Key::of_strides(width, sizes, strides);
        // An overflow is an error of the plan.
        let total = sizes
            .iter()
            .fold(width, |total, &size| total.wrapping_mul(size));
        let way = || {
            let (nest, outer) = plan(dst_strides, src_strides, sizes, width, MAX_LOOPS).ok()??;
            (outer.len() == 0).then(|| Way::Task(Task::new(&nest), nest))
        };
        // SAFETY: the caller's promise; the key is all that the plan is made of.
        if unsafe { kept::run(&key, total, (src, dst), way) } {
            return Ok(());
        }
    }
    // SAFETY: the caller's promise.
    unsafe { copy(dst, dst_strides, src, src_strides, sizes, width, MAX_LOOPS) }
}

/// Returns the nest, with at most `most_loops` loops, and the loops that run around it. `None` if
/// there are no elements.
fn plan(
    dst_strides: &[isize],
    src_strides: &[isize],
    sizes: &[usize],
    width: usize,
    most_loops: usize,
) -> Result<Option<(Nest, Loops<MOST>)>, RelayoutError> {
    strided_extent(sizes, src_strides, width, End::Source)?;
    let (_, bytes) = strided_extent(sizes, dst_strides, width, End::Destination)?;
    if bytes == 0 {
        return Ok(None);
    }
    let mut nest = Nest::of_width(width);
    let mut loops = Loops::<MOST>::NONE;
    for (&size, (&src, &dst)) in sizes.iter().zip(src_strides.iter().zip(dst_strides)) {
        if size == 1 {
            continue;
        }
        let mut src = src;
        let mut dst = dst;
        if dst < 0 {
            // No overflow: these are offsets of elements.
            nest.src += (size - 1) as isize * src;
            nest.dst += (size - 1) as isize * dst;
            (src, dst) = (-src, -dst);
        }
        if !loops.push(Loop { size, src, dst }) {
            return Err(RelayoutError::Overlapping);
        }
    }
    loops.sort(false);
    if overlap(loops.as_slice(), width) {
        return Err(RelayoutError::Overlapping);
    }
    let mut outer = Loops::NONE;
    for (k, &level) in loops.as_slice().iter().enumerate() {
        let fits = k < most_loops && nest.loops.push(level) || outer.push(level);
        debug_assert!(fits, "there are at most `MAX_LOOPS`, and `MOST` of all");
    }
    nest.normalise();
    Ok(Some((nest, outer)))
}

/// Whether two elements of the destination overlap, or may overlap. The loops are sorted by their
/// strides there.
fn overlap(loops: &[Loop], width: usize) -> bool {
    let mut span = width;
    let steps_over = |level: &Loop| {
        let is_outside = level.dst.unsigned_abs() >= span;
        span += (level.size - 1) * level.dst.unsigned_abs();
        is_outside
    };
    if loops.iter().all(steps_over) {
        return false;
    }
    // The bytes of an element are one more dimension.
    let mut sizes = [width as u64; MAX_DIMENSIONS];
    let mut strides = [1; MAX_DIMENSIONS];
    let rank = loops.len() + 1;
    if rank > MAX_DIMENSIONS {
        return true;
    }
    for (level, (size, stride)) in loops.iter().zip(sizes.iter_mut().zip(&mut strides).skip(1)) {
        (*size, *stride) = (level.size as u64, level.dst as i64);
    }
    let bytes = Map::<MAX_DIMENSIONS>::strided(&sizes[..rank], &strides[..rank]);
    let collision = bytes.and_then(|bytes| bytes.collision(Budget::DEFAULT));
    collision != Ok(None)
}

/// As [`copy_strided_unchecked`], with at most `most_loops` loops in the nest.
///
/// # Safety
/// As [`copy_strided_unchecked`].
pub(crate) unsafe fn copy(
    dst: *mut u8,
    dst_strides: &[isize],
    src: *const u8,
    src_strides: &[isize],
    sizes: &[usize],
    width: usize,
    most_loops: usize,
) -> Result<(), RelayoutError> {
    let Some((nest, outer)) = plan(dst_strides, src_strides, sizes, width, most_loops)? else {
        return Ok(());
    };
    let task = Task::new(&nest);
    let outer = outer.as_slice();
    let total = sizes.iter().product::<usize>() * width;
    let copy = |run: &Run| {
        each::<MOST>(outer, (0, 0), |from, to| {
            // SAFETY: the caller's promise: the index of the outer loops, and the loops of the
            // nest, give elements.
            unsafe { kernels::run(&task, src.offset(from), dst.offset(to), run) };
        });
    };
    learn(Some(&task), total, dst, copy);
    Ok(())
}

/// The most dimensions of more than one step that can have distinct elements: an address has no
/// more bits.
const MOST: usize = usize::BITS as usize;
