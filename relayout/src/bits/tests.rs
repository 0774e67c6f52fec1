//! What planes and blocks decide, without a copy: the invariants `PLANES` and `BLOCKS`.

use std::prelude::v1::*;

use super::blocks::{self, Blocks};
use super::elements::loops_of;
use super::parts::Without;
use super::planes::{self, Planes};
use crate::cells::Cells;
use crate::nest::{Loop, Nest, each};

/// The offsets on both sides of all steps of these loops, beginning at those of each step before.
fn steps(begins: &[(isize, isize)], loops: &[Loop]) -> Vec<(isize, isize)> {
    let mut all = Vec::new();
    for &begin in begins {
        each::<32>(loops, begin, |src, dst| all.push((src, dst)));
    }
    all
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

/// Copies between a row-major array and one whose dimensions are in another sequence.
fn each_nest(mut visit: impl FnMut(&Nest, Cells)) {
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for (a, b, c) in (0..27).map(|k| (k / 9, k / 3 % 3, k % 3)) {
        let size = |k: usize| [3, 8, 24][k];
        let dims = [size(a), size(b), size(c)];
        for order in orders {
            let mut nest = Nest::of_width(1);
            let mut dst = 1;
            for (k, dim) in order.into_iter().enumerate() {
                let src = dims[dim + 1..].iter().product::<usize>() as isize;
                let size = dims[dim];
                nest.loops.push(Loop { size, src, dst });
                dst *= dims[order[k]] as isize;
            }
            nest.normalise();
            for (src_bits, dst_bits) in [(4, 8), (8, 4), (4, 4), (8, 1), (1, 8)] {
                visit(&nest, Cells { src_bits, dst_bits });
            }
        }
    }
}

/// A loop that is too long is one of the nest, and is cut where blocks do not divide it.
fn check_cut(nest: &Nest, without: &Without) -> usize {
    let Without::TooLong(level, limit) = without else {
        return 0;
    };
    assert!(loops_of(nest).as_slice().contains(level));
    assert!(*limit < level.size && level.size % limit != 0);
    1
}

#[test]
#[cfg_attr(miri, ignore = "it makes no copy")]
fn planes_have_each_element_once() {
    let mut copied = 0;
    let mut cut = 0;
    each_nest(|nest, cells| {
        let planes = match Planes::of(nest, cells) {
            Ok(planes) => planes,
            Err(without) => return cut += check_cut(nest, &without),
        };
        copied += 1;
        let in_byte = (8 / cells.src_bits.min(cells.dst_bits)) as isize;
        let packed = |(src, dst)| {
            let offset: isize = if cells.dst_bits < 8 { dst } else { src };
            offset / in_byte
        };
        let around = steps(&[(nest.src, nest.dst)], planes.around.as_slice());
        let rows = steps(&around, planes.rows.as_slice());
        let columns = steps(&rows, planes.columns.loops.as_slice());
        let size = planes.in_group;
        let elements = steps(
            &columns,
            &[Loop {
                size,
                ..planes.packed_run
            }],
        );
        let expected = steps(&[(nest.src, nest.dst)], loops_of(nest).as_slice());
        assert_eq!(sorted(elements.iter().copied()), sorted(expected));
        // The bytes of all blocks are those of these elements.
        let panel = planes.panel(false);
        let bytes = steps(&[(panel.src, panel.dst)], loops_of(&panel).as_slice());
        let mut written = Vec::new();
        for &begin in &around {
            written.extend(bytes.iter().map(|&(_, byte)| packed(begin) + byte));
        }
        let mut expected = sorted(elements.into_iter().map(packed));
        expected.dedup();
        assert_eq!(sorted(written), expected);
        // They have different places in the buffer.
        let mut places = sorted(bytes.into_iter().map(|(place, _)| place));
        assert!(
            places
                .iter()
                .all(|&place| (place as usize) < planes::ROWS * planes::PITCH)
        );
        let count = places.len();
        places.dedup();
        assert_eq!(places.len(), count);
    });
    assert!(copied > 50 && cut > 50, "{copied} {cut}");
}

#[test]
#[cfg_attr(miri, ignore = "it makes no copy")]
fn blocks_have_each_element_once() {
    let mut copied = 0;
    let mut cut = 0;
    each_nest(|nest, cells| {
        let blocks = match Blocks::of(nest, cells) {
            Ok(blocks) => blocks,
            Err(without) => return cut += check_cut(nest, &without),
        };
        copied += 1;
        let [mut to_buffer, mut from_buffer] = blocks
            .steps
            .map(|(step, _)| steps(&[(0, 0)], loops_of(&step).as_slice()));
        to_buffer.sort_unstable_by_key(|&(_, place)| place);
        from_buffer.sort_unstable_by_key(|&(place, _)| place);
        let mut elements = Vec::new();
        for (src, dst) in steps(&[(nest.src, nest.dst)], blocks.around.as_slice()) {
            for (&(from, place), &(read, to)) in to_buffer.iter().zip(&from_buffer) {
                assert_eq!(place, read);
                assert!((place as usize) < blocks::BLOCK / 4 * 5);
                elements.push((src + from, dst + to));
            }
        }
        let expected = steps(&[(nest.src, nest.dst)], loops_of(nest).as_slice());
        assert_eq!(sorted(elements), sorted(expected));
    });
    assert!(copied > 50 && cut > 50, "{copied} {cut}");
}
