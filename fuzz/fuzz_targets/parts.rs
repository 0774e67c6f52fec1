//! Arrays of packed elements and parts of their parts: slices, rows, steps of either sign, splits,
//! chunks and tiles. Each part has the elements that a list of places says, writing them changes
//! these and nothing else, and parts that are lent together share no byte.
#![no_main]

use std::cell::Cell;
use std::collections::HashSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_core::types::nat;
use xlayout_core::{Array, ArrayLayout, DynLayout, Packed, Rank, StridedLayout, ViewMut};

#[derive(Arbitrary, Debug)]
struct Input {
    element_type: u8,
    sizes: [u8; 2],
    column_major: bool,
    tile: Option<(u8, u8)>,
    tail: u8,
    takes: Vec<(bool, u8, u8, i8)>,
    last: Last,
}

#[derive(Arbitrary, Debug)]
enum Last {
    Whole,
    /// One after the other.
    Row(bool),
    /// All at once.
    Rows,
    Split(bool, u8),
    Chunks(bool, u8),
    /// Of the whole array.
    Tiles,
}

/// The places of the elements of a matrix, in rows.
type Places = Vec<Vec<usize>>;

type Strided = StridedLayout<[usize; 2], isize>;

fuzz_target!(|input: Input| {
    let types = [
        ("s4", 4),
        ("u4", 4),
        ("u2", 2),
        ("s2", 2),
        ("u1", 1),
        ("s1", 1),
    ];
    let (name, bits) = types[usize::from(input.element_type) % 6];
    let [rows, columns] = input.sizes.map(|size| usize::from(size % 14));
    let order = if input.column_major { "0,1" } else { "1,0" };
    let tile = input.tile.map_or(String::new(), |(rows, columns)| {
        format!("T({},{})", 1 + rows % 5, 1 + columns % 5)
    });
    let tail = match input.tail % 8 {
        0 => format!("L({})", 2 + input.tail / 8),
        _ => String::new(),
    };
    let text = format!("{name}[{rows},{columns}]{{{order}:{tile}{tail}E({bits})}}");
    let Ok(layout) = text.parse::<DynLayout>() else {
        return;
    };
    let layout = layout.ranked::<2>().expect("the rank is 2");
    let place = |i, j| layout.linear_index(&[i, j]);
    let places = (0..rows).map(|i| (0..columns).map(|j| place(i, j)).collect());
    let places: Places = places.collect();
    let in_byte = 8 / bits;
    // The padding of the last byte is told, too.
    let mut memory = Memory {
        bits,
        numbers: (0..layout.bytes() * in_byte)
            .map(|place| (place * 7 + place / 11) as u8 & ((1 << bits) - 1))
            .collect(),
        next: 0,
    };
    let made = Array::packed(layout, memory.bytes());
    let mut array = made.expect("the length is the layout's");
    if let Last::Tiles = input.last {
        tiles(array.as_view_mut(), &places, &mut memory);
    }
    if let Ok(mut whole) = array.with_step_mut::<0>(.., 1) {
        taken(
            whole.as_view_mut(),
            &places,
            &input.takes,
            &input.last,
            &mut memory,
        );
    } else {
        last(array.as_view_mut(), &places, &input.last, &mut memory);
    }
    assert_eq!(array.as_bytes(), memory.bytes(), "{text}");
});

/// What each place holds.
struct Memory {
    bits: usize,
    numbers: Vec<u8>,
    next: u8,
}

impl Memory {
    fn bytes(&self) -> Vec<u8> {
        let in_byte = 8 / self.bits;
        let byte = |numbers: &[u8]| {
            let shifted = numbers.iter().enumerate();
            shifted.fold(0, |byte, (k, number)| byte | number << (k * self.bits))
        };
        self.numbers.chunks(in_byte).map(byte).collect()
    }

    /// Reads each element of a part, and writes another number.
    fn check<L: ArrayLayout>(&mut self, mut part: ViewMut<'_, Packed, L>, places: &[usize]) {
        assert_eq!(part.layout().elements(), places.len());
        let mask = (1 << self.bits) - 1;
        let sizes = part.shape();
        let place_of = |index: &L::Coordinates| {
            let dims = index.as_ref().iter().zip(sizes.as_ref());
            places[dims.fold(0, |number, (i, size)| number * size + i)]
        };
        part.for_each_in_memory_mut(|index, number| {
            let known = &mut self.numbers[place_of(index)];
            assert_eq!(*number as u8 & mask, *known);
            self.next = self.next.wrapping_mul(5).wrapping_add(3);
            *number = self.next as i8;
            *known = self.next & mask;
        });
    }

    /// Parts that exist at once.
    fn check_all<L: ArrayLayout>(&mut self, parts: Vec<(ViewMut<'_, Packed, L>, Vec<usize>)>) {
        let mut taken = HashSet::new();
        for (_, places) in &parts {
            let bytes: HashSet<usize> = places.iter().map(|place| place * self.bits / 8).collect();
            let count = taken.len() + bytes.len();
            taken.extend(bytes);
            assert_eq!(taken.len(), count, "two parts share a byte");
        }
        for (part, places) in parts {
            self.check(part, &places);
        }
    }
}

/// The coordinates that a range with a step takes, as Python defines them.
fn stepped(size: usize, from: u8, to: u8, step: i8) -> (std::ops::Range<usize>, Vec<usize>) {
    let from = usize::from(from) % (size + 1);
    let to = from + usize::from(to) % (size - from + 1);
    let taken = match step {
        1.. => (from..to).step_by(step as usize).collect(),
        _ => (from..to)
            .rev()
            .step_by(step.unsigned_abs().into())
            .collect(),
    };
    (from..to, taken)
}

fn taken(
    mut part: ViewMut<'_, Packed, Strided>,
    places: &Places,
    takes: &[(bool, u8, u8, i8)],
    end: &Last,
    memory: &mut Memory,
) {
    let [(of_columns, from, to, step), rest @ ..] = takes else {
        return last(part, places, end, memory);
    };
    let step = match step % 4 {
        0 => 1,
        step => step,
    };
    let [rows, columns] = part.shape();
    let size = if *of_columns { columns } else { rows };
    let (range, coordinates) = stepped(size, *from, *to, step);
    let next: Places = match of_columns {
        true => {
            let of_row = |row: &Vec<usize>| coordinates.iter().map(|&j| row[j]).collect();
            places.iter().map(of_row).collect()
        }
        false => coordinates.iter().map(|&i| places[i].clone()).collect(),
    };
    let found = match of_columns {
        true => part.with_step_mut::<1>(range, step.into()),
        false => part.with_step_mut::<0>(range, step.into()),
    };
    match found {
        Ok(found) => taken(found, &next, rest, end, memory),
        // It shares a byte with elements that are not taken.
        Err(error) => {
            assert!(!error.to_string().is_empty());
            taken(part, places, rest, end, memory);
        }
    }
}

/// A part that is taken from another one by rows or by columns.
fn some(places: &Places, of_columns: bool, range: std::ops::Range<usize>) -> Vec<usize> {
    match of_columns {
        true => places
            .iter()
            .flat_map(|row| row[range.clone()].to_vec())
            .collect(),
        false => places[range].concat(),
    }
}

fn last<L: Rank<2>>(
    mut part: ViewMut<'_, Packed, L>,
    places: &Places,
    end: &Last,
    memory: &mut Memory,
) {
    let [rows, columns] = part.shape();
    let size = |of_columns| if of_columns { columns } else { rows };
    match *end {
        Last::Whole => {}
        Last::Row(of_columns) => {
            for k in 0..size(of_columns) {
                let line = match of_columns {
                    true => part.column_mut(k),
                    false => part.row_mut(k),
                };
                if let Ok(line) = line {
                    memory.check(line, &some(places, of_columns, k..k + 1));
                }
            }
        }
        Last::Rows => {
            let of_rows = quietly(|| part.rows_mut().collect::<Vec<_>>());
            let with_places = |rows: Vec<_>| {
                let rows = rows.into_iter().zip(places);
                rows.map(|(row, places)| (row, places.clone())).collect()
            };
            if let Some(all) = of_rows.map(with_places) {
                memory.check_all(all);
            }
        }
        Last::Split(of_columns, at) => {
            let at = usize::from(at) % (size(of_columns) + 1);
            let halves = match of_columns {
                true => part.split_at_mut::<1>(at),
                false => part.split_at_mut::<0>(at),
            };
            if let Ok((front, back)) = halves {
                let front_places = some(places, of_columns, 0..at);
                let back_places = some(places, of_columns, at..size(of_columns));
                memory.check_all(vec![(front, front_places), (back, back_places)]);
            }
        }
        Last::Chunks(of_columns, len) => {
            let len = 1 + usize::from(len) % 9;
            let size = size(of_columns);
            let chunks = match of_columns {
                true => part
                    .try_chunks_mut::<1>(len)
                    .map(|all| all.collect::<Vec<_>>()),
                false => part.try_chunks_mut::<0>(len).map(|all| all.collect()),
            };
            if let Ok(chunks) = chunks {
                assert_eq!(chunks.len(), size.div_ceil(len));
                let of = |k: usize| some(places, of_columns, k * len..size.min(k * len + len));
                let with_places = chunks.into_iter().enumerate();
                memory.check_all(with_places.map(|(k, chunk)| (chunk, of(k))).collect());
            }
        }
        Last::Tiles => {}
    }
    memory.check(part, &places.concat());
}

fn tiles(
    mut part: ViewMut<'_, Packed, DynLayout<[usize; 2]>>,
    places: &Places,
    memory: &mut Memory,
) {
    if let Ok(tiles) = part.try_tiles_mut(nat![2, 4]) {
        let of = |[i, j]: [usize; 2]| {
            let rows = places.iter().skip(2 * i).take(2);
            rows.flat_map(|row| row.iter().skip(4 * j).take(4).copied())
                .collect()
        };
        let all = tiles.map(|(number, tile)| (tile.into_part(), of(number)));
        memory.check_all(all.collect());
    }
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What a function gives that may panic as it documents.
fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        // That of the fuzzer ends the process.
        let of_fuzzer = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                of_fuzzer(info);
            }
        }));
    });
    IS_QUIET.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(false);
    done.ok()
}
