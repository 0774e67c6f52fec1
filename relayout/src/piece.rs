//! A nest of loops in pieces, for threads and progress bars.

use crate::machine::LINE;
use crate::nest::{Loop, Nest};

/// Part `part` of `parts` parts of a copy. All parts together are the copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) part: usize,
    pub(crate) parts: usize,
}

impl Share {
    pub(crate) const WHOLE: Self = Self { part: 0, parts: 1 };

    /// The share of `0..size`; all shares have nearly the same.
    pub(crate) const fn of(self, size: usize) -> (usize, usize) {
        let parts = self.parts as u128;
        (
            (size as u128 * self.part as u128 / parts) as usize,
            (size as u128 * (self.part as u128 + 1) / parts) as usize,
        )
    }
}

/// Returns piece number `share.part` of a normalised nest that is cut into `share.parts` pieces, or
/// into fewer; `None` if there is no such piece. Each step of the nest is in exactly one piece.
///
/// The loop with the longest steps in the destination is cut first, so that pieces are far from
/// each other there and share few cache lines. If this loop is short, each of its steps is cut
/// again.
pub(crate) fn piece(nest: &Nest, share: Share) -> Option<Nest> {
    let mut cut = *nest;
    let mut left = share;
    // Returns the range of `0..size` that belongs to the piece, cut at multiples of `unit`, and
    // divides the remaining pieces among the units.
    let mut take = |size: usize, unit: usize| {
        let units = size.div_ceil(unit);
        let parts = units.min(left.parts);
        left.parts /= parts;
        let part = left.part / left.parts;
        left.part %= left.parts;
        let (begin, end) = Share { part, parts }.of(units);
        (part < parts).then(|| (begin * unit, size.min(end * unit)))
    };
    for k in (0..nest.loops.len()).rev() {
        let level = nest.loops.get(k);
        let (begin, end) = take(level.size, steps_of_a_line(level))?;
        cut.src += begin as isize * level.src;
        cut.dst += begin as isize * level.dst;
        // `normalise` sorts the loop again; the loops inside it keep their places.
        cut.loops.remove(k);
        let size = end - begin;
        let fits = cut.loops.push(Loop { size, ..level });
        debug_assert!(fits, "one was removed");
    }
    let (begin, end) = take(nest.width, LINE)?;
    cut.src += begin as isize;
    cut.dst += begin as isize;
    cut.width = end - begin;
    cut.normalise();
    (left.part == 0).then_some(cut)
}

/// The number of steps that move by whole lines on the side with the shorter steps: a piece that
/// begins inside a line of the source would read one more line for each block. A source that is
/// repeated has no steps.
fn steps_of_a_line(level: Loop) -> usize {
    let steps = [level.src, level.dst].map(isize::unsigned_abs);
    match steps.into_iter().filter(|step| *step > 0).min() {
        Some(step) if step < LINE => LINE >> step.trailing_zeros(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Share, piece};
    use crate::nest::{Loop, Loops, Nest};

    /// Transposes are cut at lines of the source. Each of eight equal pieces
    /// would have 514 columns of 4 bytes: 32 lines and an eighth.
    #[test]
    fn pieces_begin_at_lines() {
        let mut nest = Nest {
            src: 0,
            dst: 0,
            loops: Loops::NONE,
            width: 4,
        };
        for (size, src, dst) in [(4096, 16448, 4), (4112, 4, 16384)] {
            assert!(nest.loops.push(Loop { size, src, dst }));
        }
        nest.normalise();
        for part in 0..8 {
            let piece = piece(&nest, Share { part, parts: 8 }).unwrap();
            assert_eq!(piece.src % 64, 0, "{part}");
        }
        // A repeated source: packed elements of the destination share bytes, but not with those of
        // other pieces.
        let mut nest = Nest { width: 1, ..nest };
        nest.loops = Loops::NONE;
        assert!(nest.loops.push(Loop {
            size: 1001,
            src: 0,
            dst: 1
        }));
        nest.normalise();
        for part in 0..8 {
            let piece = piece(&nest, Share { part, parts: 8 }).unwrap();
            assert_eq!(piece.dst % 64, 0, "{part}");
        }
    }

    /// Every step of a nest is in one piece.
    #[test]
    fn pieces_are_the_nest() {
        for sizes in [&[][..], &[1], &[7], &[2, 3], &[3, 2, 5], &[2, 2, 2, 2]] {
            for width in [1, 64, 200] {
                let mut nest = Nest {
                    src: 5,
                    dst: 3,
                    loops: Loops::NONE,
                    width,
                };
                let mut step = 2 * width as isize;
                for &size in sizes {
                    let src = -step;
                    let dst = step;
                    assert!(nest.loops.push(Loop { size, src, dst }));
                    step *= size as isize + 1;
                }
                nest.normalise();
                for parts in [1, 2, 3, 4, 5, 8, 100, 999] {
                    let mut seen = bytes(&nest);
                    for part in (0..parts).take(1000) {
                        for byte in piece(&nest, Share { part, parts }).iter().flat_map(bytes) {
                            let at = seen.iter().position(|written| *written == byte);
                            seen.swap_remove(at.expect("it is in the nest and in no other piece"));
                        }
                    }
                    assert!(seen.is_empty(), "{sizes:?} {width} {parts}");
                }
            }
        }
    }

    fn bytes(nest: &Nest) -> Vec<(isize, isize)> {
        let mut all: Vec<_> = (0..nest.width as isize)
            .map(|k| (nest.src + k, nest.dst + k))
            .collect();
        for level in nest.loops.as_slice() {
            all = (0..level.size as isize)
                .flat_map(|k| {
                    let step = move |(src, dst): &(isize, isize)| {
                        (src + k * level.src, dst + k * level.dst)
                    };
                    all.iter().map(step).collect::<Vec<_>>()
                })
                .collect();
        }
        all
    }
}
