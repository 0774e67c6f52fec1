//! A copy without a plan that lasts.
#![allow(unsafe_code)]

use xlayout_core::{ArrayLayout, ArrayRef, Element};

use crate::error::{End, RelayoutError};
#[cfg(feature = "std")]
use crate::kept::{self, Key};
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
#[cfg(feature = "std")]
use crate::learn::{Lessons, Pages};
use crate::side::{Side, same_array};
use crate::static_plan::Planned;
use crate::way::Way;

/// Copies an array to another layout, once: from view to view, whatever the layouts. A view may be a
/// [part](xlayout_core::Part) of an array: only its elements are read or written.
///
/// Elements are copied as they are; the padding of the destination is left alone
/// ([`fill_padding`](xlayout_core::ArrayBase::fill_padding) fills it). Where the types of both layouts say all, the compiler has
/// made the plan, as for [`relayout_static`](crate::relayout_static), which also compares the sizes at
/// compile time. For many copies between two layouts that the types do not fix, make a
/// [`Plan`](crate::Plan).
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
/// When the sizes differ, when several indices of the destination are one element, or when the
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
    let (from, to) = (src.layout(), dst.layout());
    let whole = 8 * size_of::<T>();
    let bits = (from.element_bits(), to.element_bits());
    // Constants, where the types say all.
    if from.element_type() == to.element_type() && bits == (whole, whole) {
        // SAFETY: by the invariant of its storage a view has all elements of its layout, at their linear indices;
        // they are as wide as `T`. For the time of the borrows nothing else writes the source's or uses
        // the destination's elements.
        if unsafe { Planned::<T, A, B>::run(src.as_ptr(), dst.as_mut_ptr()) } {
            return Ok(());
        }
    }
    let read: *const T = src.as_ptr();
    let written: *mut T = dst.as_mut_ptr();
    let (from, to) = (src.layout(), dst.layout());
    let sizes = to.sizes();
    let sizes = sizes.as_ref();
    same_array(
        (from.element_type(), from.sizes().as_ref()),
        (to.element_type(), sizes),
    )?;
    let plan = || {
        let from = Side::of(from, End::Source)?;
        Way::new(sizes, &from, &Side::of(to, End::Destination)?)
    };
    let total = to.bytes();
    #[cfg(feature = "std")]
    // If several indices of the destination are one element, planning returns the error.
    if to.is_unique() {
        let dense = bits == (whole, whole) && to.elements() > 0;
        let strides = (dense.then(|| from.strides().zip(to.strides()))).flatten();
        let of_strides = strides.as_ref().map(|(from, to)| {
            let bytes = |stride: usize| stride.wrapping_mul(size_of::<T>()) as isize;
            let strides = from.as_ref().iter().zip(to.as_ref());
            let strides = strides.map(|(&from, &to)| (bytes(from), bytes(to)));
            Key::of_strides(size_of::<T>(), sizes, strides)
        });
        let (src, dst, plan) = (read.cast(), written.cast(), || plan().ok());
        // SAFETY: as below: the keys are made of all that the way is made of.
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
    let (read, written): (*const u8, *mut u8) = (read.cast(), written.cast());
    let way = plan()?;
    // SAFETY: the way is that of both layouts, and by the invariant of its storage a view has all elements of its
    // layout, at the offsets of `SIDE`, as wide as the layout says. For the time of the borrows nothing
    // else writes the source's or uses the destination's.
    learn(way.largest_task().as_ref(), total, written, |by| unsafe {
        way.run(read, written, by, (0, 1));
    });
    Ok(())
}

/// Copies so many bytes, most of them by this task: by the strategy whose turn it is.
pub(crate) fn learn(task: Option<&Task>, total: usize, dst: *const u8, copy: impl FnOnce(&Run)) {
    let by = Run::of(total);
    #[cfg(feature = "std")]
    if let Some(lessons) = task.and_then(|task| Lessons::of_task(task, total, (1, Pages::Known))) {
        return lessons.at(dst).run(total, |choice| copy(&by.with(choice)));
    }
    let _ = (task, dst);
    copy(&by);
}
