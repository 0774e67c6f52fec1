//! Slices of small layouts, against where each of their elements lies.

use std::string::String;
use std::vec::Vec;
use std::{format, vec};

use super::*;
use crate::array_layout::sealed::Token;
use crate::{ArrayLayout, Coordinates, DynCoordinates, DynLayout};

/// Layouts of these sizes, in the same sequence for all sizes. `None` where there is no such
/// layout.
fn layouts(sizes: &str, rank: usize) -> Vec<Option<DynLayout>> {
    let orders: &[&str] = if rank == 1 { &["0"] } else { &["1,0", "0,1"] };
    let mut all = vec![];
    for order in orders {
        for attributes in [
            "",
            ":T(2)",
            ":T(3)",
            ":T(2,2)",
            ":T(2,3)",
            ":T(4,2)(2,1)",
            ":T(4)(2)",
            ":L(4)",
            ":T(*,2)",
        ] {
            all.push(format!("f32[{sizes}]{{{order}{attributes}}}").parse().ok());
        }
        for widths in if rank == 1 {
            ["4", "7"]
        } else {
            ["4,5", "6,6"]
        } {
            let text = format!("f32[{sizes}]{{{order}}}, padded_dimensions = [{widths}]");
            all.push(text.parse().ok());
        }
    }
    all
}

/// The place of the first element, if each element of the slice keeps its distance from it, in the
/// memory of the whole, and no padding of the slice is an element of the whole.
fn by_elements(
    whole: &DynLayout,
    of: &DynLayout,
    dimension: usize,
    start: usize,
    owns: bool,
) -> Option<usize> {
    let moved = |index: &DynCoordinates| {
        let mut index = index.clone();
        index.set(dimension, index.coordinate(dimension) + start);
        whole.linear_index(&index)
    };
    let first = moved(&DynCoordinates::origin(of.rank()));
    let mut right = first + of.buffer_len() <= whole.buffer_len();
    of.for_each_in_memory(|index, linear| right &= moved(index) == first + linear);
    if owns {
        for place in 0..of.buffer_len() {
            let inside = of.multi_index(place).is_some();
            right &= inside || whole.multi_index(first + place).is_none();
        }
    }
    right.then_some(first)
}

fn ask(
    whole: &DynLayout,
    of: &DynLayout,
    dimension: usize,
    start: usize,
    len: usize,
    owns: bool,
) -> Result<usize, NotSlice> {
    whole.with_resolved(Token, |whole| {
        of.with_resolved(Token, |of| offset(&whole, &of, dimension, start, len, owns))
    })
}

#[test]
fn a_slice_begins_where_its_elements_do() {
    let mut found = 0;
    let mut refused = 0;
    for (size, rank) in [("4", 1), ("6", 1), ("3,4", 2), ("4,3", 2), ("5,2", 2)] {
        let sizes: Vec<usize> = size.split(',').map(|n| n.parse().unwrap()).collect();
        for (k, whole) in layouts(size, rank).iter().enumerate() {
            let Some(whole) = whole else { continue };
            for dimension in 0..rank {
                for len in 0..=sizes[dimension] {
                    let mut part = sizes.clone();
                    part[dimension] = len;
                    let part: Vec<String> = part.iter().map(|n| format!("{n}")).collect();
                    for (j, of) in layouts(&part.join(","), rank).iter().enumerate() {
                        let Some(of) = of else { continue };
                        // What is padding is promised for the notation of the whole only.
                        let padded = !of
                            .array_shape()
                            .layout
                            .as_ref()
                            .unwrap()
                            .padded_dimensions
                            .is_empty();
                        for owns in if k == j && !padded {
                            &[true, false][..]
                        } else {
                            &[false]
                        } {
                            for start in 0..=sizes[dimension] + 1 - len {
                                let name =
                                    format!("{whole} {dimension} {start} {len}: {of} {owns}");
                                let answer = ask(whole, of, dimension, start, len, *owns);
                                if start + len > sizes[dimension] {
                                    assert!(
                                        matches!(answer, Err(NotSlice::OutOfBounds { .. })),
                                        "{name}"
                                    );
                                    continue;
                                }
                                if of.elements() == 0 {
                                    let fits = of.buffer_len() <= whole.buffer_len();
                                    assert_eq!(answer.ok(), fits.then_some(0), "{name}");
                                    continue;
                                }
                                let expected = by_elements(whole, of, dimension, start, *owns);
                                match answer {
                                    Ok(first) => assert_eq!(Some(first), expected, "{name}"),
                                    // The rule is one for the elements and the padding behind them.
                                    Err(NotSlice::BeginsInTile { .. }) => refused += 1,
                                    Err(_) => {
                                        assert_eq!(expected, None, "{name}");
                                        refused += 1;
                                    }
                                }
                                found += usize::from(answer.is_ok());
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(found > 1_000 && refused > 1_000, "{found} {refused}");
}

/// What a refusal says is possible, is possible.
#[test]
fn a_refusal_names_the_edges_of_tiles() {
    let layout = |text: &str| text.parse::<DynLayout>().unwrap();
    let whole = layout("s32[10,8]{1,0:T(4,4)}");
    for start in 0..10 {
        for len in 1..=10 - start {
            let of = layout(&format!("s32[{len},8]{{1,0:T(4,4)}}"));
            let end = start + len;
            let answer = ask(&whole, &of, 0, start, len, true);
            let expected = if start % 4 != 0 {
                Err(NotSlice::BeginsInTile {
                    dimension: 0,
                    start,
                    below: start / 4 * 4,
                    above: (start / 4 * 4 + 4).min(10),
                })
            } else if end % 4 != 0 && end != 10 {
                Err(NotSlice::EndsInTile {
                    dimension: 0,
                    end,
                    above: (end / 4 * 4 + 4).min(10),
                })
            } else {
                Ok(start * 8)
            };
            assert_eq!(answer, expected, "{start} {end}");
        }
    }
    // The sum is no number of this target.
    let of = layout("s32[1,8]{1,0:T(4,4)}");
    let beyond = ask(&whole, &of, 0, usize::MAX, 2, true);
    assert!(matches!(
        beyond,
        Err(NotSlice::OutOfBounds { size: 10, .. })
    ));
}

#[test]
fn the_words_name_the_numbers() {
    for (why, words) in [
        (
            NotSlice::OutOfBounds {
                dimension: 1,
                start: 2,
                end: 9,
                size: 4,
            },
            "a slice of dimension 1 from 2 to 9 is out of bounds: the dimension has size 4; end it at 4 or \
             before",
        ),
        (
            NotSlice::end(1, 7, usize::MAX, 4).unwrap_err(),
            "a slice of dimension 1 that begins at 7 is out of bounds: the dimension has \
             size 4; end it at 4 or before",
        ),
        (
            NotSlice::BeginsInTile {
                dimension: 0,
                start: 1,
                below: 0,
                above: 2,
            },
            "a slice of dimension 0 cannot begin at 1, inside a tile; begin it at 0 or 2",
        ),
        (
            NotSlice::EndsInTile {
                dimension: 0,
                end: 3,
                above: 4,
            },
            "a slice of dimension 0 cannot end at 3, inside a tile; end it at 4, or where a tile \
             before it ends",
        ),
        (
            NotSlice::NoLayout { dimension: 0 },
            "a slice of dimension 0 has no layout of its own: its memory is not what its \
             dimensions, tiles and alignment would make; copy the part",
        ),
    ] {
        assert_eq!(format!("{why}"), words);
    }
}
