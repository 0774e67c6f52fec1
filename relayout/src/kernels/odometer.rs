//! An iterator over the steps of loops.

use crate::nest::{Loop, MAX_LOOPS};

/// Steps through loops, the innermost first, and returns the pointers of each step.
///
/// It is an iterator instead of a function with a closure: a closure is neither compiled for the
/// instructions of the function around it nor inlined into it.
pub(super) struct Odometer<'a> {
    loops: &'a [Loop],
    at: [usize; MAX_LOOPS],
    src: *const u8,
    dst: *mut u8,
    done: bool,
}

impl<'a> Odometer<'a> {
    /// # Safety
    /// Every offset that the loops reach lies inside the buffers, or at their ends.
    #[inline(always)]
    pub(super) unsafe fn new(loops: &'a [Loop], src: *const u8, dst: *mut u8) -> Self {
        Self {
            loops,
            at: [0; MAX_LOOPS],
            src,
            dst,
            done: false,
        }
    }
}

impl Iterator for Odometer<'_> {
    type Item = (*const u8, *mut u8);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let here = (self.src, self.dst);
        for (level, at) in self.loops.iter().zip(&mut self.at) {
            *at += 1;
            let step = if *at < level.size {
                1
            } else {
                *at = 0;
                1 - level.size as isize
            };
            // SAFETY: the next step of this loop, or its first one again.
            unsafe {
                self.src = self.src.offset(step * level.src);
                self.dst = self.dst.offset(step * level.dst);
            }
            if step == 1 {
                return Some(here);
            }
        }
        self.done = true;
        Some(here)
    }
}

/// Fills `out` with the offsets on one side of the steps of the loops, from step `first` on.
#[inline(always)]
pub(super) fn offsets(loops: &[Loop], first: usize, in_source: bool, out: &mut [isize]) {
    let stride = |level: &Loop| if in_source { level.src } else { level.dst };
    let Some((inner, others)) = loops.split_first() else {
        return out.fill(0);
    };
    if others.is_empty() {
        for (k, slot) in out.iter_mut().enumerate() {
            *slot = (first + k) as isize * stride(inner);
        }
        return;
    }
    // The step of each other loop, and the offset of these steps.
    let mut at = [0; MAX_LOOPS];
    let mut offset = 0;
    let mut rest = first / inner.size;
    for (level, at) in others.iter().zip(&mut at) {
        *at = rest % level.size;
        rest /= level.size;
        offset += *at as isize * stride(level);
    }
    let mut digit = first % inner.size;
    let mut k = 0;
    loop {
        let run = (inner.size - digit).min(out.len() - k);
        for (i, slot) in out[k..k + run].iter_mut().enumerate() {
            *slot = offset + (digit + i) as isize * stride(inner);
        }
        k += run;
        if k == out.len() {
            return;
        }
        digit = 0;
        for (level, at) in others.iter().zip(&mut at) {
            *at += 1;
            offset += stride(level);
            if *at < level.size {
                break;
            }
            *at = 0;
            offset -= level.size as isize * stride(level);
        }
    }
}
