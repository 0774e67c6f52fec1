//! Blocks of equal sizes.

use xlayout::part::TileBy;
use xlayout::types::{Nat, NotSlice, nat};
use xlayout::{Array, ArrayLayout, ConstTiles, DynLayout, LayoutError, Rank, layout};

use crate::core_::parts::made::{check_part, merges, numbered, value};

/// Law 2 for blocks of `M` and `N`.
pub(crate) fn tiles<const M: usize, const N: usize>(layout: DynLayout) {
    let mut array = numbered(layout);
    let [m, n] = array.layout().shape();
    let of = array.layout().clone();
    let tiles = match array.try_tiles(nat![M, N]) {
        Ok(tiles) => tiles,
        Err(LayoutError::NotStrided) => return assert!(of.strides().is_none()),
        Err(LayoutError::NoSlice(NotSlice::MergedBlocks)) => return assert!(merges(&of)),
        Err(LayoutError::NoSlice(NotSlice::BlockInTile {
            dimension, block, ..
        })) => {
            // A mode of this dimension is cut.
            let size = [M, N][dimension];
            assert_eq!(block, size);
            return assert!(of.modes().any(|mode| {
                mode.dim == dimension
                    && [mode.divisor, mode.divisor * mode.size]
                        .iter()
                        .any(|cut| !size.is_multiple_of(*cut) && !cut.is_multiple_of(size))
            }));
        }
        Err(other) => panic!("{other}"),
    };
    let mut seen = 0;
    assert_eq!(
        tiles.len(),
        if m * n == 0 {
            0
        } else {
            m.div_ceil(M) * n.div_ceil(N)
        }
    );
    let again = array.try_tiles(nat![M, N]).unwrap();
    assert!(again.get([m.div_ceil(M), 0]).is_none());
    for ([a, b], tile) in tiles {
        let origin = [a * M, b * N];
        let sizes = [M.min(m - origin[0]), N.min(n - origin[1])];
        check_part(&tile, origin, sizes);
        assert_eq!(tile.is_whole(), sizes == [M, N]);
        if let Some(tile) = tile.whole() {
            check_part(&tile, origin, sizes);
        }
        check_part(&again.get([a, b]).unwrap(), origin, sizes);
        seen += sizes[0] * sizes[1];
    }
    assert_eq!(seen, m * n);
    // To write: each element once.
    for ([a, b], mut tile) in array.try_tiles_mut(nat![M, N]).unwrap() {
        let number = -((100 * a + b) as i32) - 1;
        match tile.whole_mut() {
            Some(mut tile) if (a + b) % 2 == 0 => tile.for_each_in_memory_mut(|_, x| *x = number),
            _ => tile.for_each_in_memory_mut(|_, x| *x = number),
        }
    }
    for i in 0..m {
        for j in 0..n {
            assert_eq!(array[[i, j]], -((100 * (i / M) + j / N) as i32) - 1);
        }
    }
    // By number, column by column: what is beyond the end uses up nothing.
    let mut tiles = array.try_tiles_mut(nat![M, N]).unwrap();
    for b in (0..=n.div_ceil(N)).rev() {
        for a in 0.. {
            let Some(mut tile) = tiles.get([a, b]) else {
                let rows = if b == n.div_ceil(N) { 0 } else { m.div_ceil(M) };
                assert_eq!(a, rows, "tiles of column {b}");
                break;
            };
            tile.for_each_in_memory_mut(|_, x| *x = -*x);
        }
    }
    // What the iteration has given is not there a second time.
    let mut given = Vec::new();
    while let Some((number, tile)) = tiles.next() {
        given.push((number, tile));
        assert!(given.iter().all(|(number, _)| tiles.get(*number).is_none()));
        let later = [m.div_ceil(M) - 1, n.div_ceil(N) - 1];
        assert_eq!(tiles.get(later).is_none(), number == later);
    }
    for ([a, b], mut tile) in given {
        tile.for_each_in_memory_mut(|_, x| assert_eq!(*x, (100 * a + b) as i32 + 1));
    }
}

/// Blocks of layouts that the type fixes, in whole or in part, and of chunks of them.
#[test]
fn typed_tiles() {
    // A macro, because blocks of blocks need bounds of their own in a function.
    macro_rules! check {
        ($layout:expr) => {{
            let array = Array::from_fn($layout, |&at| value(at)).unwrap();
            let [m, n] = array.layout().shape();
            let mut seen = 0;
            for ([a, b], tile) in array.tiles(nat![4, 8]) {
                let origin = [4 * a, 8 * b];
                let sizes = [4.min(m - origin[0]), 8.min(n - origin[1])];
                check_part(&tile, origin, sizes);
                assert_eq!(tile.is_whole(), sizes == [4, 8]);
                {
                    if let Some(tile) = tile.whole() {
                        check_part(&tile, origin, sizes);
                        // By coordinates, which are not checked, and by an index.
                        for i in tile.axis::<0>() {
                            for j in tile.axis::<1>() {
                                assert_eq!(
                                    tile[(i, j)],
                                    value([origin[0] + i.get(), origin[1] + j.get()])
                                );
                            }
                        }
                        let index = tile.layout().index([3, 7]).unwrap();
                        assert_eq!(tile[index], value([origin[0] + 3, origin[1] + 7]));
                        // Blocks of the block.
                        for ([a, b], inside) in tile.tiles(nat![2, 8]) {
                            let inside = inside.whole().expect("2 divides 4");
                            check_part(&inside, [origin[0] + 2 * a, origin[1] + 8 * b], [2, 8]);
                        }
                    }
                }
                seen += sizes[0] * sizes[1];
            }
            assert_eq!(seen, m * n);
            // The blocks of a part of the array.
            for (k, chunk) in array.chunks::<0>(8).enumerate() {
                for ([a, b], tile) in chunk.tiles(nat![4, 8]) {
                    let origin = [8 * k + 4 * a, 8 * b];
                    let sizes = [4.min(m - origin[0]), 8.min(n - origin[1])];
                    check_part(&tile, origin, sizes);
                    if let Some(tile) = tile.whole() {
                        check_part(&tile, origin, sizes);
                    }
                }
            }
        }};
    }
    check!(layout!(s32[13,20]));
    check!(layout!(s32[13,20]{0,1}));
    check!(layout!(s32[13,20]{1,0:T(4,8)}));
    check!(layout!(s32[16,24]{1,0:T(4,8)(2,1)}));
    check!(layout!(s32[13,20]{1,0:T(8,16)}));
    check!(layout!(s32[3,40]{1,0:T(2,4)}));
    check!(layout!(s32[13,20] <0,1>, padded_dimensions = [16, 24]));
    check!(layout!(s32[?,?]{1,0:T(4,8)})([13, 20]).unwrap());
    check!(layout!(s32[?,20]{0,1:T(8,4)})([13, 20]).unwrap());
    check!(layout!(s32[?,?])([12, 24]).unwrap());
    check!(layout!(s32[?,?])([0, 24]).unwrap());
    // Without elements there are no blocks, and no tile is cut.
    check!(layout!(s32[0,24]));
    check!(layout!(s32[13,0]{0,1}));
    check!(layout!(s32[0,20]{1,0:T(4,8)(2,1)}));
    check!(layout!(s32[0,20]{1,0:T(*,3)}));
    check!(layout!(s32[<=0,20]{1,0:T(4,8)}));
    check!(layout!(s32[?,0]{1,0:T(4,8)})([13, 0]).unwrap());
    check!(layout!(s32[?,0]{1,0:T(4,8)})([0, 0]).unwrap());
    // A slice of a static layout.
    let array = Array::from_fn(layout!(s32[8,24]), |&at| value(at)).unwrap();
    let part = array.as_view().into_const_slice::<1, 8, 16>();
    for ([a, b], tile) in part.tiles(nat![4, 8]) {
        let tile = tile.whole().unwrap();
        check_part(&tile, [4 * a, 8 + 8 * b], [4, 8]);
    }
}

/// The bound of a function does not ask for elements.
#[test]
fn a_function_for_tiles_takes_arrays_without_elements() {
    fn count<L>(mut array: Array<f32, L>) -> [usize; 3]
    where
        L: Rank<2> + ConstTiles<(Nat<8>, Nat<128>)>,
    {
        let len = array.tiles(nat![8, 128]).len();
        let count = array.tiles(nat![8, 128]).count();
        let count_mut = array.tiles_mut(nat![8, 128]).count();
        [len, count, count_mut]
    }
    assert_eq!(
        count(Array::zeros(layout!(f32[16,256]{1,0:T(8,128)})).unwrap()),
        [4; 3]
    );
    assert_eq!(
        count(Array::zeros(layout!(f32[0,256]{1,0:T(8,128)})).unwrap()),
        [0; 3]
    );
    assert_eq!(
        count(Array::zeros(layout!(f32[16,0]{1,0:T(8,128)})).unwrap()),
        [0; 3]
    );
}

/// An array without a whole block has one block, which is the array, however large the block is.
#[test]
fn blocks_larger_than_any_array() {
    const MOST: usize = isize::MAX as usize;
    fn one<L: TileBy<(Nat<MOST>, Nat<MOST>)>>(mut array: Array<i32, L>) {
        let sizes = array.shape();
        assert_eq!(array.try_tiles_mut(nat![MOST, MOST]).unwrap().len(), 1);
        let tile = array
            .try_tiles(nat![MOST, MOST])
            .unwrap()
            .get([0, 0])
            .unwrap();
        assert!(!tile.is_whole());
        check_part(&tile, [0, 0], sizes);
    }
    one(Array::from_fn(layout!(s32[3,5]{0,1}), |&at| value(at)).unwrap());
    one(Array::from_fn(layout!(s32[?,5])([3, 5]).unwrap(), |&at| value(at)).unwrap());
    let padded = layout!(s32[3,5]<1,0>, padded_dimensions = [4, 6]);
    one(Array::from_fn(padded, |&at| value(at)).unwrap());
    one(numbered("s32[3,5]".parse().unwrap()));
    one(numbered("s32[1,5]{1,0:T(8,8)}".parse().unwrap()));
}

/// A block of a layout that the run time knows has one stride for each dimension, so each part of
/// it is a block.
#[test]
fn blocks_of_blocks_of_a_run_time_layout() {
    let array = numbered("s32[8,32]{1,0:T(4,8)}".parse().unwrap());
    let tiles = array.try_tiles(nat![4, 8]).unwrap();
    let mut seen = 0;
    for ([a, b], tile) in tiles {
        let tile = tile.whole().expect("all blocks are whole");
        for ([c, d], inside) in tile.tiles(nat![3, 2]) {
            let origin = [4 * a + 3 * c, 8 * b + 2 * d];
            let sizes = [3.min(4 - 3 * c), 2];
            check_part(&inside, origin, sizes);
            if let Some(inside) = inside.whole() {
                check_part(&inside, origin, sizes);
            }
            seen += sizes[0] * sizes[1];
        }
    }
    assert_eq!(seen, 8 * 32);
}
