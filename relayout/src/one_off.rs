//! Copies that are made once, without a plan of the caller's.
#![allow(unsafe_code)]

use xlayout_core::{ArrayLayout, ArrayRef, Element};

use crate::error::{End, RelayoutError};
#[cfg(feature = "std")]
use crate::kept::{self, Key};
use crate::kernels::Run;
use crate::kernels::task::Task;
#[cfg(feature = "std")]
use crate::learn::{self, Lessons, Pages};
use crate::nest::{Loop, each};
use crate::piece::Share;
use crate::side::{Side, same_array};
use crate::static_plan::Planned;
use crate::way::Way;

/// Copies an array to another layout, once: from any view to any view. A view may be a
/// [part](xlayout_core::View) of an array: only its elements are read or written.
///
/// Elements are copied unchanged. The padding of the destination is not written
/// ([`fill_padding`](xlayout_core::ArrayBase::fill_padding) fills it). If the types fix both
/// layouts, the plan is made by the compiler, as for [`relayout_static`](crate::relayout_static),
/// which also compares the sizes at compile time. For many copies between two layouts that the
/// types do not fix, make a [`Plan`](crate::Plan).
///
/// ```
/// use xlayout_core::{Array, DynLayout};
/// use xlayout_relayout::relayout;
///
/// let from: DynLayout = "f32[2,3]{1,0}".parse().unwrap();
/// let to: DynLayout = "f32[2,3]{0,1:T(2,2)}".parse().unwrap();
/// let a = Array::from_fn(from, |index| (10 * index[0] + index[1]) as f32).unwrap();
/// let mut b = Array::zeros(to).unwrap();
/// relayout(&a, &mut b).unwrap();
/// assert_eq!(b[[1, 2]], 12.0);
/// ```
///
/// # Errors
/// If the sizes differ, if several indices of the destination are one element, or if the
/// destination has a reversed dimension that the source has in tiles.
pub fn relayout<T, A, B>(
    src: &ArrayRef<T, A>,
    dst: &mut ArrayRef<T, B>,
) -> Result<(), RelayoutError>
where
    T: Element,
    A: ArrayLayout,
    B: ArrayLayout,
{
    let read = src.as_ptr();
    let written = dst.as_mut_ptr();
    let from = src.layout();
    let to = dst.layout();
    let whole = 8 * size_of::<T>();
    let is_whole = from.element_bits() == whole && to.element_bits() == whole;
    // These are constants if the types fix the layouts.
    if from.element_type() == to.element_type() && is_whole {
        // SAFETY: by the invariant of its storage a view has all elements of its layout, at their
        // linear indices; they are as wide as `T`. For the time of the borrows nothing else writes
        // the source's or uses the destination's elements.
        if unsafe { Planned::<T, A, B>::run(read, written) } {
            return Ok(());
        }
    }
    same_array(
        (from.element_type(), from.shape().as_ref()),
        (to.element_type(), to.shape().as_ref()),
    )?;
    // If several indices of the destination are one element, planning returns the error.
    let is_dense = to.is_unique() && is_whole && to.elements() > 0;
    let strides = if is_dense {
        from.strides().zip(to.strides())
    } else {
        None
    };
    let strides = (strides.as_ref()).map(|(from, to)| (from.as_ref(), to.as_ref()));
    // SAFETY: as above. In layouts with strides the linear index of an index is the sum of its
    // coordinates times the strides, and the sizes are equal.
    let copied = unsafe {
        #[cfg(feature = "std")]
        let is_kept = run_kept((from, to), strides, (read, written));
        #[cfg(not(feature = "std"))]
        let is_kept = false;
        is_kept || to.elements() <= SMALL && small(to.shape().as_ref(), strides, (read, written))
    };
    if copied {
        return Ok(());
    }
    let way = way(from, to)?;
    let written: *mut u8 = written.cast();
    learn(way.largest_task().as_ref(), to.bytes(), written, |run| {
        // SAFETY: as above: the way is that of both layouts, by the offsets of `SIDE` and the
        // widths that the layouts say.
        unsafe { way.run(read.cast(), written, run, Share::WHOLE) };
    });
    Ok(())
}

/// The way between two layouts of the same array.
fn way(from: &impl ArrayLayout, to: &impl ArrayLayout) -> Result<Way, RelayoutError> {
    let src = Side::of(from, End::Source)?;
    Way::new(to.shape().as_ref(), &src, &Side::of(to, End::Destination)?)
}

/// Copies by a way that this thread has kept. Returns whether it copied. If there are strides, all
/// elements are as wide as `T`.
///
/// # Safety
/// The elements of both layouts can be read at `src` and written at `dst`. They have no byte in
/// common.
#[cfg(feature = "std")]
#[inline]
unsafe fn run_kept<T>(
    (from, to): (&impl ArrayLayout, &impl ArrayLayout),
    strides: Option<(&[usize], &[usize])>,
    (src, dst): (*const T, *mut T),
) -> bool {
    if !to.is_unique() {
        return false;
    }
    let total = to.bytes();
    let ends = (src.cast(), dst.cast());
    let plan = || way(from, to).ok();
    if let Some((src, dst)) = strides {
        let width = size_of::<T>();
        let bytes = |&stride: &usize| stride.wrapping_mul(width) as isize;
        let strides = src.iter().map(bytes).zip(dst.iter().map(bytes));
        let key = Key::of_strides(width, to.shape().as_ref(), strides);
        // SAFETY: the caller's promise: a key has everything that the way depends on.
        return unsafe { kept::run(&key, total, ends, plan) };
    }
    // SAFETY: as above.
    Key::of_layouts(from, to).is_some_and(|key| unsafe { kept::run(&key, total, ends, plan) })
}

/// Copies `total` bytes, most of them by `task`, by the strategy whose turn it is.
pub(crate) fn learn(task: Option<&Task>, total: usize, dst: *const u8, copy: impl FnOnce(&Run)) {
    let run = Run::of(total);
    #[cfg(feature = "std")]
    if let Some(task) = task {
        let lessons = Lessons::of_task(task, total, 1, Pages::Known);
        return learn::run(&lessons, dst, &run, copy);
    }
    let _ = (task, dst);
    copy(&run);
}

/// The most elements that are copied without a plan: they take less time than making one.
const SMALL: usize = 128;
/// The most dimensions of such a copy.
const RANK: usize = 8;

/// Copies a few elements at strides, the last dimension fastest. Returns whether there are strides,
/// and few enough dimensions.
///
/// # Safety
/// The element of each index below the sizes, at the sum of the coordinates times the strides, can
/// be read at `src` and written at `dst`. Those of both sides have no byte in common.
unsafe fn small<T: Copy>(
    sizes: &[usize],
    strides: Option<(&[usize], &[usize])>,
    (src, dst): (*const T, *mut T),
) -> bool {
    let Some((src_strides, dst_strides)) = strides else {
        return false;
    };
    if sizes.len() > RANK {
        return false;
    }
    let mut loops = [Loop::ONCE; RANK];
    let dimensions = sizes.iter().zip(src_strides.iter().zip(dst_strides));
    for (level, (&size, (&from, &to))) in loops.iter_mut().zip(dimensions.rev()) {
        *level = Loop {
            size,
            src: from as isize,
            dst: to as isize,
        };
    }
    if !sizes.contains(&0) {
        each::<RANK>(&loops[..sizes.len()], (0, 0), |from, to| {
            // SAFETY: these are the sums of coordinates below the sizes times the strides.
            unsafe { *dst.offset(to) = *src.offset(from) };
        });
    }
    true
}
