//! Parts of arrays, and parts of parts: regions, splits, chunks, steps of either sign, repeated
//! dimensions, blocks. Packed arrays have the same parts.

use xlayout::storage::{Storage, StorageMut};
use xlayout::types::NotSlice;
use xlayout::{ArrayBase, ArrayLayout, LayoutError, Packed};
use xlayout_model::Operation;

use crate::any::{AnyLayout, at};
use crate::cells::{Cells, check_apart};
use crate::check::{Value, check_array, check_packed, write, write_packed};
use crate::copies::{from_part, to_part};
use crate::coverage::{seen, seen_type};
use crate::random::Case;
use crate::trail;

/// `body` with the constant `$dim` for a number below 3. Typed methods take the number of a
/// dimension as a constant.
macro_rules! in_dimension {
    ($number:expr, $dim:ident => $body:expr) => {
        match $number {
            0 => {
                const $dim: usize = 0;
                $body
            }
            1 => {
                const $dim: usize = 1;
                $body
            }
            _ => {
                const $dim: usize = 2;
                $body
            }
        }
    };
}
pub(crate) use in_dimension;

/// The coordinates of a range with a step, as Python defines them.
pub(crate) fn coordinates(range: std::ops::Range<usize>, step: isize) -> Vec<usize> {
    match step {
        1.. => range.step_by(step as usize).collect(),
        _ => range.rev().step_by(step.unsigned_abs()).collect(),
    }
}

/// One part of an array.
#[derive(Debug)]
enum Part {
    Region(Vec<usize>, Vec<usize>),
    Slice(usize, std::ops::Range<usize>),
    Split(usize, usize),
    Chunks(usize, usize),
    Step(usize, std::ops::Range<usize>, isize),
    Line(usize, Vec<usize>),
}

/// Whether an operation lends parts of arrays of any rank, which have parts.
fn lends_parts(operation: Operation) -> bool {
    match operation {
        Operation::Region
        | Operation::Split
        | Operation::Chunks
        | Operation::Step
        | Operation::Line => true,
        // What has no parts is written in `check.rs`.
        Operation::Whole
        | Operation::Memory
        | Operation::Element
        | Operation::Elements
        | Operation::Slices => false,
        // Of matrices, and of arrays of known rank: `rows.rs` and `blocks.rs`.
        Operation::Rows | Operation::Blocks | Operation::Block => false,
    }
}

fn part(cells: &Cells, case: &mut Case) -> Part {
    let rank = cells.sizes.len();
    // What would be inside of tiles is mostly refused: the origin is a multiple of 1, 2, 4 or 8.
    let aligned = |range: std::ops::Range<usize>, case: &mut Case| {
        let multiple = case.pick(&[1, 1, 2, 4, 8]);
        range.start / multiple * multiple..range.end
    };
    let of_parts: Vec<_> = Operation::ALL
        .iter()
        .filter(|of| lends_parts(**of))
        .collect();
    let operation = match rank {
        0 => Operation::Region,
        _ => *case.pick(&of_parts),
    };
    let part = if operation == Operation::Region && (rank == 0 || case.chance(60)) {
        let ranges: Vec<_> = cells
            .sizes
            .iter()
            .map(|&n| {
                let range = case.range(n);
                if case.chance(40) {
                    0..n
                } else {
                    aligned(range, case)
                }
            })
            .collect();
        Part::Region(
            ranges.iter().map(|r| r.start).collect(),
            ranges.iter().map(|r| r.len()).collect(),
        )
    } else {
        let dim = case.below(rank.min(3));
        let range = case.range(cells.sizes[dim]);
        let range = aligned(range, case);
        match operation {
            Operation::Split => Part::Split(dim, range.start),
            Operation::Chunks => Part::Chunks(dim, case.pick(&[1, 2, 3, 4, 8])),
            Operation::Step => Part::Step(dim, range, case.pick(&[-3, -2, -1, -1, 1, 2, 3])),
            Operation::Line if is_line(cells, dim) => {
                let at = cells.sizes.iter().map(|&n| case.below(n)).collect();
                Part::Line(dim, at)
            }
            _ => Part::Slice(dim, range),
        }
    };
    trail(|| format!("{part:?}"));
    part
}

/// Whether a part may be refused. The model has no modes: a part is where the elements have the
/// distances of the first elements of the array, and steps are where there are strides.
fn check_refused(why: LayoutError, cells: &Cells, regions: &[(Vec<usize>, Vec<usize>)]) {
    let strided = cells.strides().is_some();
    let parts = regions
        .iter()
        .all(|(origin, sizes)| cells.has_region(origin, sizes));
    match why {
        LayoutError::NotStrided => {
            assert!(cells.merges || !strided, "refused, but there are strides")
        }
        LayoutError::NoSlice(NotSlice::NoLayout { .. }) => {
            assert!(cells.merges, "refused, but no dimension is merged")
        }
        LayoutError::NoSlice(NotSlice::BeginsInTile { .. }) => {
            assert!(cells.merges || !parts, "refused, but there is such a part");
        }
        // Of packed arrays.
        LayoutError::SharedByte { .. } => {}
        other => panic!("refused: {other}"),
    }
}

/// Whether there are lines along a dimension.
fn is_line(cells: &Cells, dim: usize) -> bool {
    let mut others = cells.sizes.iter().enumerate();
    others.all(|(other, &size)| other == dim || size > 0)
}

/// The region that a range of a dimension is.
fn slab(cells: &Cells, dim: usize, range: std::ops::Range<usize>) -> (Vec<usize>, Vec<usize>) {
    let mut origin = vec![0; cells.sizes.len()];
    let mut sizes = cells.sizes.clone();
    (origin[dim], sizes[dim]) = (range.start, range.len());
    (origin, sizes)
}

fn chunks(cells: &Cells, dim: usize, len: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let size = cells.sizes[dim];
    let starts = (0..size).step_by(len);
    starts
        .map(|start| slab(cells, dim, start..size.min(start + len)))
        .collect()
}

// The elements of packed arrays are numbers in bytes, and are checked and written in another way.
macro_rules! descend {
    ($read:ident, $write:ident, [$($value:ident: $bound:path)?], $item:ty, $number:ty, $check:expr, $put:expr) => {
        /// Checks an array, and parts of it up to a depth.
        pub(crate) fn $read<S, L $(, $value)?>(array: &ArrayBase<S, L>, cells: &Cells, case: &mut Case, depth: usize)
        where
            S: Storage<Item = $item> + Sync,
            L: ArrayLayout,
            $($value: $bound,)?
        {
            $check(array, cells, case);
            if depth == 0 || cells.sizes.len() > 12 {
                return;
            }
            match part(cells, case) {
                Part::Region(origin, sizes) => match array.region(at::<L::Coordinates>(&origin), at::<L::Coordinates>(&sizes)) {
                    Ok(part) => {
                        seen_type::<L>(Operation::Region.column());
                        $read(&part, &cells.region(&origin, &sizes), case, depth - 1);
                    }
                    Err(why) => check_refused(why, cells, &[(origin, sizes)]),
                },
                Part::Slice(dim, range) => {
                    let (origin, sizes) = slab(cells, dim, range.clone());
                    match in_dimension!(dim, DIM => array.slice::<DIM>(range)) {
                        Ok(part) => {
                            seen_type::<L>(Operation::Region.column());
                            $read(&part, &cells.region(&origin, &sizes), case, depth - 1);
                        }
                        Err(why) => check_refused(why, cells, &[(origin, sizes)]),
                    }
                }
                Part::Split(dim, middle) => {
                    let halves = [slab(cells, dim, 0..middle), slab(cells, dim, middle..cells.sizes[dim])];
                    match in_dimension!(dim, DIM => array.split_at::<DIM>(middle)) {
                        Ok(parts) => {
                            seen_type::<L>(Operation::Split.column());
                            let (left, right) = parts;
                            for (part, (origin, sizes)) in [left, right].iter().zip(&halves) {
                                $read(part, &cells.region(origin, sizes), case, depth - 1);
                            }
                        }
                        Err(why) => check_refused(why, cells, &halves),
                    }
                }
                Part::Chunks(dim, len) => {
                    let regions = chunks(cells, dim, len);
                    match in_dimension!(dim, DIM => array.try_chunks::<DIM>(len)) {
                        Ok(parts) => {
                            seen_type::<L>(Operation::Chunks.column());
                            assert_eq!(parts.len(), regions.len(), "chunks");
                            for (part, (origin, sizes)) in parts.zip(&regions) {
                                $read(&part, &cells.region(origin, sizes), case, 0);
                            }
                        }
                        Err(why) => check_refused(why, cells, &regions),
                    }
                }
                Part::Step(dim, range, step) => {
                    let taken = cells.with(dim, &coordinates(range.clone(), step));
                    match in_dimension!(dim, DIM => array.with_step::<DIM>(range, step)) {
                        Ok(part) => {
                            seen_type::<L>(Operation::Step.column());
                            $read(&part, &taken, case, depth - 1);
                        }
                        Err(why) => check_refused(why, cells, &[]),
                    }
                }
                Part::Line(dim, at_line) => {
                    match in_dimension!(dim, DIM => array.line::<DIM>(at::<L::Coordinates>(&at_line))) {
                        Ok(part) => {
                            seen_type::<L>(Operation::Line.column());
                            $read(&part, &cells.line(dim, &at_line), case, depth - 1);
                        }
                        Err(why) => check_refused(why, cells, &[]),
                    }
                }
            }
        }

        /// Writes to an array, or to parts of it. The answer is what has to be in the memory of the
        /// whole.
        pub(crate) fn $write<S, L $(, $value)?>(
            array: &mut ArrayBase<S, L>,
            cells: &Cells,
            case: &mut Case,
            depth: usize,
        ) -> Vec<(usize, $number)>
        where
            S: StorageMut<Item = $item> + Send,
            L: ArrayLayout,
            $($value: $bound,)?
        {
            if depth == 0 || cells.sizes.len() > 12 || case.chance(25) {
                return $put(array, cells, case);
            }
            match part(cells, case) {
                Part::Region(origin, sizes) => {
                    if let Ok(mut part) = array.region_mut(at::<L::Coordinates>(&origin), at::<L::Coordinates>(&sizes)) {
                        return $write(&mut part, &cells.region(&origin, &sizes), case, depth - 1);
                    }
                }
                Part::Slice(dim, range) => {
                    let (origin, sizes) = slab(cells, dim, range.clone());
                    if let Ok(mut part) = in_dimension!(dim, DIM => array.slice_mut::<DIM>(range)) {
                        return $write(&mut part, &cells.region(&origin, &sizes), case, depth - 1);
                    }
                }
                Part::Split(dim, middle) => {
                    let halves = [slab(cells, dim, 0..middle), slab(cells, dim, middle..cells.sizes[dim])];
                    if let Ok(parts) = in_dimension!(dim, DIM => array.split_at_mut::<DIM>(middle)) {
                        let (mut left, mut right) = parts;
                        let halves = halves.map(|(origin, sizes)| cells.region(&origin, &sizes));
                        check_apart(&halves, left.layout().element_bits());
                        let [left_cells, right_cells] = halves;
                        // Both parts are there at once.
                        let mut put = $write(&mut right, &right_cells, case, depth - 1);
                        put.extend($write(&mut left, &left_cells, case, depth - 1));
                        return put;
                    }
                }
                Part::Chunks(dim, len) => {
                    if let Ok(parts) = in_dimension!(dim, DIM => array.try_chunks_mut::<DIM>(len)) {
                        let mut parts: Vec<_> = parts.collect();
                        let of_parts = chunks(cells, dim, len);
                        let of_parts: Vec<_> =
                            of_parts.iter().map(|(origin, sizes)| cells.region(origin, sizes)).collect();
                        if let Some(part) = parts.first() {
                            check_apart(&of_parts, part.layout().element_bits());
                        }
                        let mut put = Vec::new();
                        for (part, cells) in parts.iter_mut().zip(&of_parts).rev_exact() {
                            put.extend($write(part, cells, case, 0));
                        }
                        return put;
                    }
                }
                Part::Step(dim, range, step) => {
                    let taken = cells.with(dim, &coordinates(range.clone(), step));
                    if let Ok(mut part) = in_dimension!(dim, DIM => array.with_step_mut::<DIM>(range, step)) {
                        return $write(&mut part, &taken, case, depth - 1);
                    }
                }
                Part::Line(dim, at_line) => {
                    let line = in_dimension!(dim, DIM => array.line_mut::<DIM>(at::<L::Coordinates>(&at_line)));
                    if let Ok(mut part) = line {
                        return $write(&mut part, &cells.line(dim, &at_line), case, depth - 1);
                    }
                }
            }
            $put(array, cells, case)
        }
    };
}

/// The last one first: the parts are independent.
trait RevExact: Iterator + Sized {
    fn rev_exact(self) -> std::vec::IntoIter<Self::Item> {
        let mut all: Vec<_> = self.collect();
        all.reverse();
        all.into_iter()
    }
}
impl<I: Iterator> RevExact for I {}

descend! { read_parts, write_parts, [T: Value], T, T,
    |array, cells: &Cells, case: &mut Case| {
        check_array(array, cells);
        from_part(array, cells, case);
    },
    |array, cells: &Cells, case: &mut Case| match case.chance(50) {
        true => write(array, cells, case.below(6)),
        false => to_part(array, cells, case),
    }
}

descend! { read_packed_parts, write_packed_parts, [], Packed, u8,
    |array, cells: &Cells, _: &mut Case| check_packed(array, cells),
    |array, cells: &Cells, case: &mut Case| write_packed(array, cells, case.below(4))
}

/// A dimension of size 1, repeated, and a region of that.
pub(crate) fn broadcast<S, L, T>(array: &ArrayBase<S, L>, cells: &Cells, case: &mut Case)
where
    S: Storage<Item = T> + Sync,
    L: ArrayLayout,
    T: Value,
{
    if cells.sizes.first() != Some(&1) {
        return;
    }
    let times = case.below(4);
    trail(|| format!("broadcast dimension 0, {times} times"));
    let repeated = cells.with(0, &vec![0; times]);
    let part = match array.broadcast::<0>(times) {
        Ok(part) => part,
        Err(why) => return check_refused(why, cells, &[]),
    };
    seen_type::<L>("broadcast");
    check_array(&part, &repeated);
    from_part(&part, &repeated, case);
    let ranges: Vec<_> = repeated.sizes.iter().map(|&n| case.range(n)).collect();
    let origin: Vec<_> = ranges.iter().map(|range| range.start).collect();
    let sizes: Vec<_> = ranges.iter().map(|range| range.len()).collect();
    trail(|| format!("region {origin:?} {sizes:?}"));
    match part.region(at::<L::Coordinates>(&origin), at::<L::Coordinates>(&sizes)) {
        Ok(of_part) => {
            seen(AnyLayout::name(part.layout()), "region");
            let cells = repeated.region(&origin, &sizes);
            check_array(&of_part, &cells);
            from_part(&of_part, &cells, case);
        }
        Err(why) => check_refused(why, &repeated, &[(origin, sizes)]),
    }
}
