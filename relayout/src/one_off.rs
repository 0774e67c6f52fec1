//! Copies that are made once, without a plan of the caller's.
#![allow(unsafe_code)]

use xlayout_core::{ArrayLayout, ArrayRef, Element};

use crate::error::{End, RelayoutError};
#[cfg(feature = "std")]
use crate::kept::{self, Key};
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
#[cfg(feature = "std")]
use crate::learn::{self, Lessons, Pages};
use crate::nest::{Loop, each};
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
    let (read, written): (*const T, *mut T) = (src.as_ptr(), dst.as_mut_ptr());
    let from = src.layout();
    let to = dst.layout();
    let whole = 8 * size_of::<T>();
    let bits = (from.element_bits(), to.element_bits());
    // These are constants if the types fix the layouts.
    if from.element_type() == to.element_type() && bits == (whole, whole) {
        // SAFETY: by the invariant of its storage a view has all elements of its layout, at their
        // linear indices; they are as wide as `T`. For the time of the borrows nothing else writes
        // the source's or uses the destination's elements.
        if unsafe { Planned::<T, A, B>::run(read, written) } {
            return Ok(());
        }
    }
    let sizes = to.shape();
    let from_sizes = from.shape();
    let sizes = sizes.as_ref();
    let from_sizes = from_sizes.as_ref();
    same_array(
        (from.element_type(), from_sizes),
        (to.element_type(), sizes),
    )?;
    // If several indices of the destination are one element, planning returns the error.
    let unique = to.is_unique();
    let dense = unique && bits == (whole, whole) && to.elements() > 0;
    let strides = if dense {
        from.strides().zip(to.strides())
    } else {
        None
    };
    let plan = || {
        let src = Side::of(from, End::Source)?;
        Way::new(sizes, &src, &Side::of(to, End::Destination)?)
    };
    let total = to.bytes();
    #[cfg(feature = "std")]
    if unique {
        let of_strides = strides.as_ref().map(|(from, to)| {
            let bytes = |stride: usize| stride.wrapping_mul(size_of::<T>()) as isize;
            let strides = from.as_ref().iter().zip(to.as_ref());
            let strides = strides.map(|(&from, &to)| (bytes(from), bytes(to)));
            Key::of_strides(size_of::<T>(), sizes, strides)
        });
        let src = read.cast();
        let dst = written.cast();
        let plan = || plan().ok();
        // SAFETY: as below: a key has everything that the way depends on.
        let copied = unsafe {
            match of_strides {
                Some(key) => kept::run(&key, total, (src, dst), plan),
                None => Key::of_layouts(from, to)
                    .is_some_and(|key| kept::run(&key, total, (src, dst), plan)),
            }
        };
        if copied {
            return Ok(());
        }
    }
    if to.elements() <= SMALL
        && let Some((from, to)) = &strides
        // SAFETY: as above. In a layout with strides the linear index of an index is the sum of its
        // coordinates times the strides, and the sizes are equal.
        && unsafe { small(sizes, (read, from.as_ref()), (written, to.as_ref())) }
    {
        return Ok(());
    }
    let (read, written): (*const u8, *mut u8) = (read.cast(), written.cast());
    let way = plan()?;
    // SAFETY: the way is that of both layouts, and by the invariant of its storage a view has all
    // elements of its layout, at the offsets of `SIDE`, as wide as the layout says. For the time of
    // the borrows nothing else writes the source's or uses the destination's.
    learn(way.largest_task().as_ref(), total, written, |run| unsafe {
        way.run(read, written, run, (0, 1));
    });
    Ok(())
}

/// Copies `total` bytes, most of them by `task`, by the strategy whose turn it is.
pub(crate) fn learn(task: Option<&Task>, total: usize, dst: *const u8, copy: impl FnOnce(&Run)) {
    let run = Run::of(total);
    #[cfg(feature = "std")]
    if let Some(task) = task {
        let lessons = Lessons::of_task(task, total, (1, Pages::Known));
        return learn::run(&lessons, dst, &run, copy);
    }
    let _ = (task, dst);
    copy(&run);
}

/// The most elements that are copied without a plan: they take less time than making one.
const SMALL: usize = 128;
/// The most dimensions of such a copy.
const RANK: usize = 8;

/// Copies a few elements at strides, the last dimension fastest. Returns whether there are few
/// enough dimensions.
///
/// # Safety
/// The element of each index below the sizes, at the sum of the coordinates times the strides, can
/// be read at `src` and written at `dst`. Those of both sides have no byte in common.
unsafe fn small<T: Copy>(
    sizes: &[usize],
    (src, src_strides): (*const T, &[usize]),
    (dst, dst_strides): (*mut T, &[usize]),
) -> bool {
    if sizes.len() > RANK {
        return false;
    }
    let mut loops = [Loop::ONCE; RANK];
    let dimensions = sizes.iter().zip(src_strides.iter().zip(dst_strides));
    for (level, (&size, (&from, &to))) in loops.iter_mut().zip(dimensions.rev()) {
        let src = from as isize;
        let dst = to as isize;
        *level = Loop { size, src, dst };
    }
    if !sizes.contains(&0) {
        // SAFETY: `from` and `to` are the sums of coordinates below the sizes times the strides.
        each::<RANK>(&loops[..sizes.len()], (0, 0), |from, to| unsafe {
            *dst.offset(to) = *src.offset(from);
        });
    }
    true
}
