//! Loops with a stride on each side: the result of refining two layouts.
//!
//! ```text
//! normalise: sort the loops by the stride of the destination, the smallest first
//!     for each loop, from the innermost on:
//!         one step:                                    drop it
//!         contiguous on both sides, and the first:     multiply the width by its size
//!         continues the loop before it on both sides:  multiply the size of that loop
//!         otherwise:                                   keep it
//! ```

/// One loop: the number of its steps, and the bytes that a step moves on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) size: usize,
    pub(crate) src: isize,
    pub(crate) dst: isize,
}

impl Loop {
    /// A loop of one step.
    pub(crate) const ONCE: Self = Self {
        size: 1,
        src: 0,
        dst: 0,
    };
}

/// The most loops of a nest. The general path copies arrays that need more.
pub(crate) const MAX_LOOPS: usize = 24;

/// A few loops, the most minor first.
#[derive(Clone, Copy)]
pub(crate) struct Loops<const N: usize = MAX_LOOPS> {
    loops: [Loop; N],
    len: usize,
}

impl<const N: usize> Loops<N> {
    pub(crate) const NONE: Self = Self {
        loops: [Loop::ONCE; N],
        len: 0,
    };

    /// Adds a loop as the outermost one. Returns whether there was room.
    pub(crate) const fn push(&mut self, added: Loop) -> bool {
        if self.len == N {
            return false;
        }
        self.loops[self.len] = added;
        self.len += 1;
        true
    }

    pub(crate) const fn as_slice(&self) -> &[Loop] {
        self.loops.split_at(self.len).0
    }

    pub(crate) const fn get(&self, k: usize) -> Loop {
        self.loops[k]
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn set_size(&mut self, k: usize, size: usize) {
        self.loops[k].size = size;
    }

    pub(crate) const fn remove(&mut self, k: usize) -> Loop {
        let removed = self.loops[k];
        each!(i, k..self.len - 1, {
            self.loops[i] = self.loops[i + 1];
        });
        self.len -= 1;
        removed
    }

    /// Sorts the loops by their strides in the destination, the smallest first. If `near`, by the
    /// shorter of their two strides, so that places that are near each other on either side are
    /// visited soon after each other.
    pub(crate) const fn sort(&mut self, near: bool) {
        // Insertion sort: there are few loops, and the planner is `const`.
        each!(i, 1..self.len, {
            let mut k = i;
            while k > 0 && before(self.loops[k], self.loops[k - 1], near) {
                self.loops.swap(k, k - 1);
                k -= 1;
            }
        });
    }

    /// The number of steps of all loops together.
    pub(crate) const fn count(&self) -> usize {
        let mut count = 1;
        each!(level, self.as_slice(), {
            count *= level.size;
        });
        count
    }
}

/// A box of the array: where it begins, its loops, and the bytes that each innermost step copies.
#[derive(Clone, Copy)]
pub(crate) struct Nest {
    /// The offsets of the first byte on each side.
    pub(crate) src: isize,
    pub(crate) dst: isize,
    pub(crate) loops: Loops,
    /// The bytes that are contiguous on both sides.
    pub(crate) width: usize,
}

impl Nest {
    /// A nest without loops.
    pub(crate) const fn of_width(width: usize) -> Self {
        Self {
            src: 0,
            dst: 0,
            loops: Loops::NONE,
            width,
        }
    }

    /// The same nest with the steps of each side, and the width, counted in other units. `None` if
    /// one of them is not a multiple.
    pub(crate) fn divided(mut self, of_src: usize, of_dst: usize, of_width: usize) -> Option<Self> {
        let divide = |step: &mut isize, each: usize| {
            let is_whole = step.unsigned_abs().is_multiple_of(each);
            *step /= each as isize;
            is_whole
        };
        let mut is_whole = divide(&mut self.src, of_src) & divide(&mut self.dst, of_dst);
        for step in &mut self.loops.loops[..self.loops.len] {
            is_whole &= divide(&mut step.src, of_src) & divide(&mut step.dst, of_dst);
        }
        is_whole &= self.width.is_multiple_of(of_width);
        self.width /= of_width;
        is_whole.then_some(self)
    }

    /// Sorts the loops by the destination's stride, merges those that continue each other, and
    /// moves the loop that is contiguous on both sides into the width.
    pub(crate) const fn normalise(&mut self) {
        let loops = &mut self.loops;
        loops.sort(false);
        let mut count = 0;
        each!(i, 0..loops.len, {
            let next = loops.loops[i];
            if next.size == 1 {
                continue;
            }
            let width = self.width as isize;
            if count == 0 && next.src == width && next.dst == width {
                self.width *= next.size;
                continue;
            }
            if count > 0 {
                let inner = loops.loops[count - 1];
                if continues(inner.src, inner.size, next.src)
                    && continues(inner.dst, inner.size, next.dst)
                {
                    loops.loops[count - 1].size *= next.size;
                    continue;
                }
            }
            loops.loops[count] = next;
            count += 1;
        });
        loops.len = count;
    }
}

/// Calls `visit` with the offsets of every step of at most `N` loops, the first one innermost.
#[inline(always)]
pub(crate) fn each<const N: usize>(
    loops: &[Loop],
    (mut from, mut to): (isize, isize),
    mut visit: impl FnMut(isize, isize),
) {
    // A copy: `visit` may write to any memory, so the compiler would read what is behind a
    // reference again in each step.
    let (&inner, others) = loops.split_first().unwrap_or((&Loop::ONCE, &[]));
    let mut row = |from: isize, to: isize| {
        for k in 0..inner.size as isize {
            visit(from + k * inner.src, to + k * inner.dst);
        }
    };
    row(from, to);
    if others.is_empty() {
        return;
    }
    let mut at = [0_usize; N];
    loop {
        let mut k = 0;
        loop {
            let Some(level) = others.get(k) else { return };
            if at[k] + 1 < level.size {
                at[k] += 1;
                (from, to) = (from + level.src, to + level.dst);
                break;
            }
            // Back from the last step: an offset after it need not fit into an `isize`.
            let back = at[k] as isize;
            (from, to) = (from - back * level.src, to - back * level.dst);
            at[k] = 0;
            k += 1;
        }
        row(from, to);
    }
}

/// Whether `next` is the offset at which a loop of `size` steps ends, so that the outer loop
/// continues it. The end is one step after the last element. If it exceeds `isize`, it cannot be
/// `next`.
const fn continues(stride: isize, size: usize, next: isize) -> bool {
    // A loop of more than `isize::MAX` steps has stride 0 on one side, and 0 * size is 0.
    if size > isize::MAX as usize {
        return stride == 0 && next == 0;
    }
    matches!(stride.checked_mul(size as isize), Some(end) if end == next)
}

/// Whether `a` belongs inside `b`: by the stride in the destination, where accesses cost more, or
/// by [`cost`] if `near`.
const fn before(a: Loop, b: Loop, near: bool) -> bool {
    let of_a = a.dst.unsigned_abs();
    let of_b = b.dst.unsigned_abs();
    if near {
        return cost(a) < cost(b);
    }
    of_a < of_b || (of_a == of_b && a.src.unsigned_abs() < b.src.unsigned_abs())
}

/// The shorter stride. A stride in the source counts 1% more, so that of two equal ones the one in
/// the destination is shorter.
const fn cost(level: Loop) -> u128 {
    let src = level.src.unsigned_abs() as u128;
    let dst = level.dst.unsigned_abs() as u128;
    // These are hundredths.
    let src = 101 * src;
    let dst = 100 * dst;
    if src < dst { src } else { dst }
}
