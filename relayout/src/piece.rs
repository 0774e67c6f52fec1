//! A nest of loops in pieces, for threads and progress bars.

use crate::nest::{Loop, Nest};

/// A run of bytes is cut at multiples of this number of bytes.
const LINE: usize = 64;

/// The `part`-th of at most `parts` pieces of a nest that is normalised; nothing where the nest
/// has fewer. All pieces together visit what the nest visits, each step in one of them.
///
/// The loop with the longest steps in the destination is cut first. So the pieces are far from each other
/// there and share few cache lines. If this loop is short, each of its steps is cut again.
pub(crate) fn piece(nest: &Nest, mut part: usize, parts: usize) -> Option<Nest> {
    let mut cut = *nest;
    let mut left = parts;
    // Which of `steps` steps belong to the piece. They are divided among the pieces that are left.
    let mut share = |steps: usize| {
        let pieces = steps.min(left);
        left /= pieces;
        let share = part / left;
        part %= left;
        (share < pieces).then(|| range(steps, share, pieces))
    };
    for k in (0..nest.loops.len()).rev() {
        let by = nest.loops.get(k);
        let each = steps_of_a_line(by);
        let (begin, end) = share(by.size.div_ceil(each))?;
        let (begin, end) = (begin * each, (end * each).min(by.size));
        cut.src += begin as isize * by.src;
        cut.dst += begin as isize * by.dst;
        // `normalise` puts it back where it belongs; the loops below keep their places.
        cut.loops.remove(k);
        let size = end - begin;
        let fits = cut.loops.push(Loop { size, ..by });
        debug_assert!(fits, "one was removed");
    }
    let (begin, end) = share(nest.width.div_ceil(LINE))?;
    let (begin, end) = (begin * LINE, (end * LINE).min(nest.width));
    cut.src += begin as isize;
    cut.dst += begin as isize;
    cut.width = end - begin;
    cut.normalise();
    (part == 0).then_some(cut)
}

/// How many steps of a loop move by whole lines on the side of the shorter steps: a piece that
/// begins inside a line of the source reads a line more for each block.
fn steps_of_a_line(by: Loop) -> usize {
    match by.src.unsigned_abs().min(by.dst.unsigned_abs()) {
        step @ 1..LINE => LINE >> step.trailing_zeros(),
        _ => 1,
    }
}

/// The `share`-th of `shares` nearly equal parts of `0..size`.
pub(crate) const fn range(size: usize, share: usize, shares: usize) -> (usize, usize) {
    (
        (size as u128 * share as u128 / shares as u128) as usize,
        (size as u128 * (share as u128 + 1) / shares as u128) as usize,
    )
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::piece;
    use crate::nest::{Loop, Loops, Nest};

    /// A transpose is cut at lines of the source: 514 columns of 4 bytes for each of eight pieces
    /// would be 32 lines and an eighth.
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
            let piece = piece(&nest, part, 8).unwrap();
            assert_eq!(piece.src % 64, 0, "{part}");
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
                    let (src, dst) = (-step, step);
                    assert!(nest.loops.push(Loop { size, src, dst }));
                    step *= size as isize + 1;
                }
                nest.normalise();
                for parts in [1, 2, 3, 4, 5, 8, 100, 999] {
                    let mut seen = bytes(&nest);
                    for part in (0..parts).take(1000) {
                        for byte in piece(&nest, part, parts).iter().flat_map(bytes) {
                            let at = seen.iter().position(|other| *other == byte);
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
        for by in nest.loops.as_slice() {
            all = (0..by.size as isize)
                .flat_map(|k| {
                    let step =
                        move |(src, dst): &(isize, isize)| (src + k * by.src, dst + k * by.dst);
                    all.iter().map(step).collect::<Vec<_>>()
                })
                .collect();
        }
        all
    }
}
