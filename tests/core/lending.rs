//! What lends an array, parts of it, or its elements, to write: every operation of the list
//! `xlayout_model::Operation`, of arrays of bytes and of packed arrays. Laws:
//! 1. What is written is in the elements that the operation names. No other bit of the memory
//!    changes.
//! 2. No byte is in two things that are lent at the same time. Threads write to all of them at
//!    once: under Miri and under ThreadSanitizer a race is an error.
//! 3. What would break law 2 is refused before the first part is lent.
//!
//! Where an element is says the model.
#![cfg(feature = "std")]

mod refused;

use std::panic::{AssertUnwindSafe, catch_unwind};

use xlayout::types::nat;
use xlayout::{
    ArrayLayout, ArrayRef, DynLayout, LayoutError, Packed, SliceViewMut, StridedLayout, ViewMut,
};
use xlayout_model::{Lends, Model, Operation};

/// The indices of a part in the array of which it is one, the last dimension fastest.
type Indices = Vec<[usize; 2]>;

/// What was written to each thing that was lent: the index of each element, and its value.
type Written = Vec<Vec<([usize; 2], i8)>>;

fn region([y, x]: [usize; 2], [height, width]: [usize; 2]) -> Indices {
    let row = |i: usize| (0..width).map(move |j| [y + i, x + j]);
    (0..height).flat_map(row).collect()
}

/// Every `step`-th coordinate of a dimension.
fn steps([m, n]: [usize; 2], dimension: usize, step: isize) -> Indices {
    let mut chosen: Vec<usize> = (0..[m, n][dimension]).collect();
    if step < 0 {
        chosen.reverse();
    }
    let chosen: Vec<usize> = chosen.into_iter().step_by(step.unsigned_abs()).collect();
    let mut sizes = [m, n];
    sizes[dimension] = chosen.len();
    let mut indices = region([0, 0], sizes);
    for index in &mut indices {
        index[dimension] = chosen[index[dimension]];
    }
    indices
}

/// The indices of the blocks of these sizes, in row-major sequence.
fn blocks([m, n]: [usize; 2], [height, width]: [usize; 2]) -> Vec<Indices> {
    let mut blocks = Vec::new();
    for y in (0..m).step_by(height) {
        for x in (0..n).step_by(width) {
            blocks.push(region([y, x], [height.min(m - y), width.min(n - x)]));
        }
    }
    blocks
}

/// A value for each element of part number `part`: another one for each element of a byte.
fn values(part: usize, indices: &Indices) -> Vec<([usize; 2], i8)> {
    let value = |k: usize| (5 * part + 3 * k + 1) as i8;
    let numbered = indices.iter().enumerate();
    numbered.map(|(k, &index)| (index, value(k))).collect()
}

/// Writes to things that are lent at the same time, each in a thread of its own.
fn at_once<P: Send>(
    lent: impl IntoIterator<Item = P>,
    indices: Vec<Indices>,
    write: impl Fn(P, &[i8]) + Sync,
) -> Written {
    let lent: Vec<P> = lent.into_iter().collect();
    assert_eq!(lent.len(), indices.len(), "as many are lent as there are");
    let written: Written = (0..).zip(&indices).map(|(k, of)| values(k, of)).collect();
    std::thread::scope(|scope| {
        for (part, elements) in lent.into_iter().zip(&written) {
            let values: Vec<i8> = elements.iter().map(|(_, value)| *value).collect();
            let write = &write;
            scope.spawn(move || write(part, &values));
        }
    });
    written
}

/// `None`: there is no such operation for these items.
type Lent = Result<Option<Written>, LayoutError>;

/// The operations for one kind of items and one kind of layouts. Those of elements that have an
/// address are given.
macro_rules! operations {
    (
        $lend:ident, $item:ty, $layout:ty,
        [$array:ident $all:ident $m:ident $n:ident $row:ident $column:ident], {$($own:tt)*}
    ) => {
        fn $lend(
            operation: Operation,
            $array: &mut ArrayRef<$item, $layout>,
            dimension: usize,
        ) -> Lent {
            fn fill<L: ArrayLayout>(mut part: ViewMut<'_, $item, L>, values: &[i8]) {
                part.copy_from_row_major(values).expect("there are as many");
            }
            let [$m, $n] = $array.shape();
            let $all = region([0, 0], [$m, $n]);
            let $row = |i: usize| region([i, 0], [1, $n]);
            let $column = |j: usize| region([0, j], [$m, 1]);
            let written = match (operation, dimension) {
                (Operation::Whole, _) => at_once([$array.as_view_mut()], vec![$all], fill),
                (Operation::Region, 0) => {
                    let part = $array.slice_mut::<0>($m / 2..)?;
                    at_once([part], vec![region([$m / 2, 0], [$m - $m / 2, $n])], fill)
                }
                (Operation::Region, _) => {
                    let part = $array.region_mut([0, $n / 2], [$m, $n - $n / 2])?;
                    at_once([part], vec![region([0, $n / 2], [$m, $n - $n / 2])], fill)
                }
                (Operation::Split, 0) => {
                    let (above, below) = $array.split_at_mut::<0>($m / 2)?;
                    let parts = vec![
                        region([0, 0], [$m / 2, $n]),
                        region([$m / 2, 0], [$m - $m / 2, $n]),
                    ];
                    at_once([above, below], parts, fill)
                }
                (Operation::Split, _) => {
                    let (left, right) = $array.split_at_mut::<1>($n / 2)?;
                    let parts = vec![
                        region([0, 0], [$m, $n / 2]),
                        region([0, $n / 2], [$m, $n - $n / 2]),
                    ];
                    at_once([left, right], parts, fill)
                }
                (Operation::Chunks, 0) => {
                    at_once($array.try_chunks_mut::<0>(1)?, blocks([$m, $n], [1, $n]), fill)
                }
                (Operation::Chunks, _) => {
                    at_once($array.try_chunks_mut::<1>(2)?, blocks([$m, $n], [$m, 2]), fill)
                }
                (Operation::Step, 0) => {
                    let part = $array.with_step_mut::<0>(.., 2)?;
                    at_once([part], vec![steps([$m, $n], 0, 2)], fill)
                }
                (Operation::Step, _) => {
                    let part = $array.with_step_mut::<1>(.., -2)?;
                    at_once([part], vec![steps([$m, $n], 1, -2)], fill)
                }
                (Operation::Line, 0) => {
                    let line = $array.column_mut($n - 1)?;
                    at_once([line], vec![$column($n - 1)], fill)
                }
                (Operation::Line, _) => {
                    let line = $array.line_mut::<1>([$m - 1, 0])?;
                    at_once([line], vec![$row($m - 1)], fill)
                }
                (Operation::Rows, _) => at_once($array.rows_mut(), (0..$m).map($row).collect(), fill),
                (Operation::Blocks, 0) => {
                    let tiles = $array.try_tiles_mut(nat![2, 4])?;
                    let tiles = tiles.map(|(_, tile)| tile.into_part());
                    at_once(tiles, blocks([$m, $n], [2, 4]), fill)
                }
                (Operation::Blocks, _) => {
                    let tiles = $array.try_tiles_mut(nat![1, 2])?;
                    let tiles = tiles.map(|(_, tile)| tile.into_part());
                    at_once(tiles, blocks([$m, $n], [1, 2]), fill)
                }
                (Operation::Block, _) => {
                    let mut tiles = $array.try_tiles_mut(nat![2, 4])?;
                    let mut tile = tiles.get([0, 0]).expect("there is a tile");
                    let part = vec![blocks([$m, $n], [2, 4]).remove(0)];
                    match tile.whole_mut() {
                        Some(whole) => at_once([whole], part, fill),
                        None => at_once([tile.into_part()], part, fill),
                    }
                }
                $($own)*
            };
            Ok(Some(written))
        }
    };
}

macro_rules! of_bytes {
    ($lend:ident, $layout:ty) => {
        operations! { $lend, i8, $layout, [array all m n row column], {
            (Operation::Memory, _) => {
                // Padding would be written, too.
                if array.layout().padding() > 0 {
                    return Ok(None);
                }
                let layout = array.layout().clone();
                let Some(memory) = array.as_mut_slice() else {
                    return Ok(None);
                };
                let places = all.iter().map(|at| layout.linear_index(at));
                let places: Vec<usize> = places.collect();
                let put = |memory: &mut [i8], values: &[i8]| {
                    places.iter().zip(values).for_each(|(&place, &value)| memory[place] = value);
                };
                at_once([memory], vec![all], put)
            }
            (Operation::Element, _) => {
                let element = array.get_mut([m - 1, 0]).expect("it is in bounds");
                at_once([element], vec![vec![[m - 1, 0]]], |element, values| *element = values[0])
            }
            (Operation::Elements, _) => {
                // Two threads write to elements between each other's.
                let mut even = Vec::new();
                let mut odd = Vec::new();
                let mut even_at = Vec::new();
                let mut odd_at = Vec::new();
                for (k, (element, at)) in array.iter_mut().zip(all).enumerate() {
                    let (elements, indices) = match k % 2 {
                        0 => (&mut even, &mut even_at),
                        _ => (&mut odd, &mut odd_at),
                    };
                    elements.push(element);
                    indices.push(at);
                }
                let put = |elements: Vec<&mut i8>, values: &[i8]| {
                    elements.into_iter().zip(values).for_each(|(to, &value)| *to = value);
                };
                at_once([even, odd], vec![even_at, odd_at], put)
            }
            (Operation::Slices, 0) => {
                let slices = array.lines_mut::<0>()?;
                at_once(slices, (0..n).map(column).collect(), |to, values| to.copy_from_slice(values))
            }
            (Operation::Slices, _) => {
                let slices = array.lines_mut::<1>()?;
                at_once(slices, (0..m).map(row).collect(), |to, values| to.copy_from_slice(values))
            }
        }}
    };
}

macro_rules! of_packed {
    ($lend:ident, $layout:ty) => {
        operations! { $lend, Packed, $layout, [array all m n row column], {
            // An element has no address, and only an array has its bytes as a slice.
            (Operation::Element | Operation::Elements | Operation::Slices | Operation::Memory, _) => {
                return Ok(None);
            }
        }}
    };
}

of_bytes! { bytes, DynLayout<[usize; 2]> }
of_bytes! { bytes_in_steps, StridedLayout<[usize; 2], isize> }
of_packed! { packed, DynLayout<[usize; 2]> }
of_packed! { packed_in_steps, StridedLayout<[usize; 2], isize> }

/// An array in whose memory the laws look, and the elements of it that are lent from.
struct Whole {
    model: Model,
    memory: Vec<u8>,
    /// The step in dimension 0.
    step: usize,
}

impl Whole {
    /// The laws after an operation.
    fn check(&self, found: &[u8], operation: Operation, written: &Written) {
        let mut expected = self.memory.clone();
        let mut owners = vec![None; expected.len()];
        for (part, elements) in written.iter().enumerate() {
            for &([i, j], value) in elements {
                let bit = self.model.place(&[i * self.step, j]) * self.model.bits;
                let byte = bit / 8;
                let shift = bit % 8;
                let owner = *owners[byte].get_or_insert(part);
                assert_eq!(owner, part, "{operation:?}: byte {byte} is in two parts");
                let mask = (((1_u16 << self.model.bits) - 1) as u8) << shift;
                expected[byte] = expected[byte] & !mask | (value as u8) << shift & mask;
            }
        }
        assert_eq!(found, expected, "{operation:?}");
        let most = if operation.lends() == Lends::One {
            1
        } else {
            usize::MAX
        };
        assert!(written.len() <= most, "{operation:?} lends one thing");
    }
}

/// Each operation on an array, and on every second row of it. The answer is which have lent
/// something.
fn walk(text: &str) -> Vec<Operation> {
    let layout: DynLayout = text.parse().unwrap();
    let model = Model::new(layout.array_shape());
    let layout = layout.ranked::<2>().unwrap();
    let memory: Vec<u8> = (0..model.bytes())
        .map(|k| (0x9d * k + 0x35) as u8)
        .collect();
    let mut whole = Whole {
        model,
        memory,
        step: 1,
    };
    let mut lent = Vec::new();
    let cases = Operation::ALL
        .iter()
        .flat_map(|&operation| [0, 1].map(|dim| (operation, dim)));
    for (operation, dimension) in cases {
        for step in [1, 2] {
            whole.step = step;
            let mut memory = whole.memory.clone();
            // Rows are refused by a panic.
            let call = catch_unwind(AssertUnwindSafe(|| match (whole.model.bits, step) {
                (8, 1) => bytes(operation, &mut of_memory(&mut memory, &layout), dimension),
                (8, _) => {
                    let mut array = of_memory(&mut memory, &layout);
                    bytes_in_steps(
                        operation,
                        &mut array.with_step_mut::<0>(.., step as isize)?,
                        dimension,
                    )
                }
                (_, 1) => {
                    let mut array = SliceViewMut::packed(layout.clone(), &mut memory).unwrap();
                    packed(operation, &mut array, dimension)
                }
                _ => {
                    let mut array = SliceViewMut::packed(layout.clone(), &mut memory).unwrap();
                    let mut part = array.with_step_mut::<0>(.., step as isize)?;
                    packed_in_steps(operation, &mut part, dimension)
                }
            }));
            match call {
                Ok(Ok(Some(written))) => {
                    whole.check(&memory, operation, &written);
                    lent.push(operation);
                }
                // Refused: nothing was lent, and so nothing was written.
                Ok(Ok(None) | Err(_)) => assert_eq!(memory, whole.memory),
                Err(panic) => {
                    let why = panic.downcast_ref::<String>().expect("a message");
                    let refused = why.contains("share") || why.contains("stride");
                    assert!(
                        operation == Operation::Rows && refused,
                        "{operation:?}: {why}"
                    );
                    assert_eq!(memory, whole.memory);
                }
            }
        }
    }
    lent
}

/// An array of bytes with signs in bytes.
fn of_memory<'a>(
    memory: &'a mut [u8],
    layout: &DynLayout<[usize; 2]>,
) -> SliceViewMut<'a, i8, DynLayout<[usize; 2]>> {
    SliceViewMut::<i8, _>::from_bytes(layout.clone(), memory).unwrap()
}

/// All of them, and in Miri as many from the beginning.
fn some<T>(all: &[T], in_miri: usize) -> &[T] {
    if cfg!(miri) { &all[..in_miri] } else { all }
}

#[test]
fn operations_on_bytes() {
    let texts = [
        "s8[2,4]{1,0}",
        "s8[4,8]{1,0}",
        "s8[3,5]{0,1}",
        "s8[4,8]{1,0:T(2,4)}",
    ];
    let mut lent = Vec::new();
    for text in some(&texts, 1) {
        lent.extend(walk(text));
    }
    for operation in Operation::ALL {
        assert!(
            lent.contains(operation),
            "{operation:?} is refused everywhere"
        );
    }
}

#[test]
fn operations_on_packed_elements() {
    let texts = [
        "u4[2,4]{1,0:E(4)}",
        "u4[3,2]{0,1:E(4)}",
        "u4[4,8]{1,0:E(4)}",
        "u4[3,5]{0,1:E(4)}",
        "u1[16,3]{0,1:E(1)}",
        "u2[4,8]{1,0:T(2,4)E(2)}",
    ];
    let mut lent = Vec::new();
    for text in some(&texts, 2) {
        lent.extend(walk(text));
    }
    let of_elements = [
        Operation::Memory,
        Operation::Element,
        Operation::Elements,
        Operation::Slices,
    ];
    for operation in Operation::ALL {
        let expected = !of_elements.contains(operation);
        assert_eq!(lent.contains(operation), expected, "{operation:?}");
    }
}
