//! Known answers, bad input, and the cases that are hard.

use xlayout_algebra::{Banks, Bits, Budget, Map, MapError, Swizzle, best_swizzle};

/// A text of an error: the message and what to write.
fn said(result: Result<Map, MapError>) -> String {
    result.expect_err("bad input").to_string()
}

#[test]
fn bad_input_says_what_to_write() {
    let map = Map::<64>::strided(&[4, 6], &[6, 1]).expect("small");
    let lines = [
        said(Map::strided(&[1; 17], &[1; 17])),
        said(Map::strided(&[2, 3], &[1])),
        said(Map::strided(&[1 << 40, 1 << 40], &[1, 1])),
        said(Map::strided(&[4], &[i64::MIN])),
        said(Map::from_modes(&[4], &[(1, 1, 0, 1)])),
        said(Map::from_modes(&[4], &[(0, 0, 0, 1)])),
        said(map.permute(&[0, 0])),
        said(map.reshape(&[5, 5])),
        said(map.slice(&[0, 3], &[4, 4], &[1, 1])),
        said(map.recast(0, 8, 16)),
        said(map.recast(1, 8, 12)),
        said(Map::cute(&[2, 6, 2], &[12, 1, 60]).and_then(|map| map.complement(78))),
        said(map.divide(&Map::cute(&[5], &[1]).expect("small"))),
        said(Map::cute(&[3, 4], &[2, 1]).and_then(|map| map.left_inverse(Budget::DEFAULT))),
    ];
    assert_eq!(
        lines.join("\n"),
        "\
17 dimensions; write at most 16 dimensions
1 numbers in place of 2; write 2 numbers
a size or an offset of 2^62 = 4611686018427387904 or more; write smaller sizes and strides
a size or an offset of 2^62 = 4611686018427387904 or more; write smaller sizes and strides
dimension 1 of a map of 1 dimensions; count dimensions from 0
a digit whose divisor is 0; write a divisor of 1 or more
a list of dimensions that is no permutation; name each dimension once
25 elements in place of 24; write sizes whose product is 24
index 6 of a map of 6 indices; use an index from 0 to 5
2 elements that are not contiguous and aligned; choose a dimension whose stride is 1, or a smaller width
elements of 8 bits as elements of 12 bits; write a width that divides the other one
stride 60 is no multiple of 24, so translates of the map leave holes or overlap; write a stride that is a multiple of 24
tiles that hold 25 of 24 indices; write a tile that divides 24 without a rest
indices 1 and 6 have the same offset; write strides that keep them apart"
    );
}

/// Two compositions that differ if and only if some of the weights have the sum `t`: deciding is
/// coNP-complete.
#[test]
fn subset_sums_are_right_or_undecided() {
    for (weights, t, differ) in [
        (vec![3, 5, 9, 14, 20, 22], 42, true),
        (vec![4, 6, 10, 14, 22, 24], 45, false),
    ] {
        let inner = Map::<64>::cute(&vec![2; weights.len()], &weights).expect("small");
        let floor = |t: u64| Map::cute(&[t, 2], &[0, 1]).and_then(|outer| outer.after(&inner));
        let a = floor(t).expect("few terms");
        let b = floor(t + 1).expect("few terms");
        let found = a.first_difference(&b, Budget::DEFAULT);
        assert_eq!(found.map(|index| index.is_some()), Ok(differ), "{t}");
        assert!(matches!(
            a.first_difference(&b, Budget(1)),
            Err(MapError::Undecided { .. }) | Ok(Some(_))
        ));
    }
}

/// 24 digits of size 2 whose strides are no chain: injective or not is found, or the budget ends.
#[test]
fn free_strides_are_right_or_undecided() {
    let strides: Vec<i64> = (0..24).map(|i| 3 << i).collect();
    let chain = Map::<64>::cute(&[2; 24], &strides).expect("24 modes");
    assert_eq!(chain.collision(Budget::DEFAULT), Ok(None));
    let strides: Vec<i64> = (0..24).map(|i| (i * i * 7 + i * 3 + 1) % 199).collect();
    let free = Map::<64>::cute(&[2; 24], &strides).expect("24 modes");
    match free.collision(Budget::DEFAULT) {
        Ok(Some((a, b))) => assert!(a != b && free.at(&[a]) == free.at(&[b])),
        found => assert!(
            matches!(found, Err(MapError::Undecided { .. })),
            "{found:?}"
        ),
    }
}

/// A layout of CuTe's whose left inverse is no sum of digits: the inverse of a table has a term for
/// each offset.
#[test]
fn an_inverse_without_digits() {
    let map = Map::<64>::cute(&[2, 2, 4], &[7, 3, 8]).expect("small");
    let inverse = map.left_inverse(Budget::DEFAULT).expect("15 terms");
    assert!((0..16).all(|k| map.at(&[k]).and_then(|v| inverse.at(&[v as u64])) == Some(k as i64)));
}

/// Two banks and three rows: no swizzle is free, and the search proves it.
#[test]
fn some_accesses_have_no_free_swizzle() {
    let banks = Banks {
        banks: 2,
        width: 4,
        phase_bytes: 8,
    };
    let rows = [1, 2, 3].map(|stride| Map::<64>::strided(&[2], &[stride]).expect("small"));
    let best = best_swizzle(&rows, 4, banks, Budget::DEFAULT).expect("few units");
    assert_eq!(
        (
            best.wavefronts.wavefronts,
            best.wavefronts.least,
            best.optimal
        ),
        (4, 3, true)
    );
}

#[test]
fn rows_and_columns_of_known_tiles() {
    let access = |extent, stride| Map::<64>::strided(&[extent], &[stride]).expect("small");
    let square = |banks, n| {
        best_swizzle(
            &[access(n, 1), access(n, n as i64)],
            4,
            banks,
            Budget::DEFAULT,
        )
    };
    for (banks, n) in [(Banks::B32, 32), (Banks::B64, 64)] {
        let best = square(banks, n).expect("few units");
        assert_eq!((best.wavefronts.wavefronts, best.optimal), (2, true));
    }
    // 16 bytes a lane, rows of 8 units: ldmatrix.
    let row = Map::<64>::strided(&[8], &[1]).expect("small");
    let column = Map::strided(&[8], &[8]).expect("small");
    let best = best_swizzle(&[row, column], 16, Banks::B32, Budget::DEFAULT).expect("few units");
    assert_eq!(best.swizzle, Swizzle::new(3, 0, 3).ok());
}

#[test]
fn matrices_over_two_elements() {
    let swizzle = Swizzle::new(3, 0, 3)
        .and_then(|swizzle| swizzle.to_bits(6))
        .expect("6 bits");
    assert_eq!((swizzle.rank(), swizzle.kernel()), (6, None));
    assert_eq!(swizzle.inverse(), Ok(swizzle));
    let singular = Bits::new(&[1, 2, 3]).expect("2 bits");
    assert_eq!((singular.rank(), singular.kernel()), (2, Some(7)));
    assert_eq!(
        singular.inverse().map_err(|error| error.to_string()),
        Err("a matrix that maps 0b111 to 0; use columns that are linearly independent".into())
    );
}

/// All of it runs in constants.
#[test]
fn decisions_in_constants() {
    const TILED: Map = Map::expect(Map::from_modes(
        &[16, 256],
        &[
            (0, 1, 8, 128),
            (0, 8, 2, 2048),
            (1, 1, 128, 1),
            (1, 128, 2, 1024),
        ],
    ));
    const {
        assert!(matches!(TILED.is_bijective(Budget::DEFAULT), Ok(true)));
        assert!(matches!(
            TILED.first_descent(Budget::DEFAULT),
            Ok(Some(256))
        ));
        let inverse = Map::expect(TILED.left_inverse(Budget::DEFAULT));
        assert!(matches!(inverse.at(&[2048]), Some(2048)));
        let composed = Map::expect(inverse.after(&TILED));
        let identity = Map::expect(Map::identity(&[16, 256]));
        assert!(matches!(
            composed.equals(&identity, Budget::DEFAULT),
            Ok(true)
        ));
    }
}

/// Each dimension by a tile of its own, one of them not contiguous.
#[test]
fn dimensions_in_tiles() {
    let array = Map::<64>::strided(&[8, 12], &[12, 1]).expect("small");
    let tile = |size, stride| Map::cute(&[size], &[stride]).expect("small");
    let tiles = array
        .tiled_divide(&[tile(4, 1), tile(2, 3)])
        .expect("tiles that divide");
    assert_eq!(tiles.extents(), [2, 6, 4, 2]);
    // Tile 4 of the second dimension has the columns 7 and 10: tiles of columns 0 and 3, moved by
    // 0, 1, 2, 6, 7, 8.
    assert_eq!(tiles.at(&[1, 4, 2, 1]), Some((4 + 2) * 12 + 7 + 3));
    assert_eq!(tiles.is_bijective(Budget::DEFAULT), Ok(true));
}

/// A swizzle of a whole tile has an inverse of few terms: its matrix over bits has one, a table
/// would need 4,096.
#[test]
fn swizzles_have_small_inverses() {
    let tile = Map::<64>::strided(&[64, 64], &[64, 1]).expect("small");
    let swizzle = Swizzle::new(3, 3, 3).expect("a swizzle");
    let swizzled = tile.swizzle(swizzle).expect("few terms");
    for inverse in [
        swizzled.left_inverse(Budget::DEFAULT),
        swizzled.right_inverse(Budget::DEFAULT),
    ] {
        let inverse = inverse.expect("few terms");
        for index in 0..4096 {
            let offset = swizzled.at_index(index).expect("in bounds");
            assert_eq!(inverse.at(&[offset as u64]), Some(index as i64));
        }
    }
}
