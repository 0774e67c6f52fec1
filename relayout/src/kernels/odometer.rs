//! An iterator over the steps of loops.

use crate::nest::{Loop, MAX_LOOPS, Steps};

/// Steps through loops, the innermost first, and returns the pointers of each step.
///
/// It is an iterator instead of a function with a closure: a closure is neither compiled for the
/// instructions of the function around it nor inlined into it.
pub(super) struct Odometer<'a> {
    steps: Steps<'a, MAX_LOOPS>,
    src: *const u8,
    dst: *mut u8,
}

impl<'a> Odometer<'a> {
    /// # Safety
    /// Every offset that the loops reach lies inside the buffers, or at their ends.
    #[inline(always)]
    pub(super) unsafe fn new(loops: &'a [Loop], src: *const u8, dst: *mut u8) -> Self {
        let steps = Steps::new(loops, (0, 0));
        Self { steps, src, dst }
    }
}

impl Iterator for Odometer<'_> {
    type Item = (*const u8, *mut u8);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (from, to) = self.steps.next()?;
        // SAFETY: the promise to `new`.
        Some(unsafe { (self.src.offset(from), self.dst.offset(to)) })
    }
}

/// Fills `out` with the offsets on one side of the steps of the loops, from step `first` on.
#[inline(always)]
pub(super) fn offsets(loops: &[Loop], first: usize, in_source: bool, out: &mut [isize]) {
    let stride = |by: &Loop| if in_source { by.src } else { by.dst };
    let (inner, others) = loops.split_first().unwrap_or((&Loop::ONCE, &[]));
    let mut step = first;
    let mut k = 0;
    while k < out.len() {
        let mut rest = step / inner.size;
        let digit = step % inner.size;
        let mut base = digit as isize * stride(inner);
        for by in others {
            base += (rest % by.size) as isize * stride(by);
            rest /= by.size;
        }
        let run = (inner.size - digit).min(out.len() - k);
        for (i, slot) in out[k..k + run].iter_mut().enumerate() {
            *slot = base + i as isize * stride(inner);
        }
        k += run;
        step += run;
    }
}
