//! Strides to a layout, exhaustively for small arrays.

use xlayout::ElementType::F32;
use xlayout::interop::{BoundaryError, Given, Notation, StridedArray, StridesKind};
use xlayout::xla::shape_util;

use super::{each_index, lists, map, permutations, shape_of};

const SIZES: [i64; 4] = [0, 1, 2, 3];

/// Every dense layout up to rank 4, there and back.
#[test]
fn dense_layouts_come_back() {
    for rank in 0..=4 {
        for sizes in lists(&SIZES, rank) {
            for order in permutations(rank) {
                let shape = shape_of(&sizes, &order);
                let host = StridedArray::of_shape(&shape).unwrap();
                assert_eq!(host.kind(), StridesKind::Dense, "{shape}");
                assert_eq!(host.dense().unwrap(), shape);
                let strides = host.byte_strides().unwrap();
                let read = StridedArray::new(F32, &sizes, &strides).unwrap();
                let back = read.dense().unwrap();
                assert_eq!(map(&back), map(&shape), "{shape} came back as {back}");
                if sizes.iter().all(|&n| n > 1) {
                    assert_eq!(back, shape);
                }
                // XLA's strides are the same bytes.
                if !sizes.contains(&0) {
                    assert_eq!(
                        shape_util::byte_strides(&shape).unwrap(),
                        strides,
                        "{shape}"
                    );
                }
            }
        }
    }
}

/// The strides that minor_to_major means, in elements: a product that runs from the most minor
/// dimension on. This is NumPy's rule for a new array, and shares nothing with the product.
fn running_products(sizes: &[i64], minor_to_major: &[i64]) -> Vec<i64> {
    let mut strides = vec![0; sizes.len()];
    let mut product = 1;
    for &dimension in minor_to_major {
        strides[dimension as usize] = product;
        product *= sizes[dimension as usize];
    }
    strides
}

/// Each sequence that strides name comes back, also where dimensions of size 1 have a part in it:
/// the layout that is found has all strides that were given.
#[test]
fn strides_of_size_1_name_a_place() {
    for rank in 0..=4 {
        for sizes in lists(&[1, 2, 3], rank) {
            for order in permutations(rank) {
                let strides = running_products(&sizes, &order);
                let host = StridedArray::from_element_strides(F32, &sizes, &strides).unwrap();
                let layout = host.dense().unwrap().layout.unwrap();
                let found = running_products(&sizes, &layout.minor_to_major);
                assert_eq!(found, strides, "{sizes:?} {order:?} {layout}");
            }
            let row_major: Vec<i64> = (0..rank as i64).rev().collect();
            let column_major: Vec<i64> = (0..rank as i64).collect();
            for order in [column_major, row_major] {
                let strides = running_products(&sizes, &order);
                let host = StridedArray::from_element_strides(F32, &sizes, &strides).unwrap();
                let layout = host.dense().unwrap().layout.unwrap();
                let is_row_major = running_products(&sizes, &layout.minor_to_major)
                    == running_products(&sizes, &(0..rank as i64).rev().collect::<Vec<_>>());
                assert!(is_row_major || layout.minor_to_major[..] == order[..]);
            }
        }
    }
}

/// What other libraries print of a layout is read with the same strides, those of dimensions of
/// size 1 included.
#[test]
fn notations_keep_all_strides() {
    for sizes in (0..=4).flat_map(|rank| lists(&[1, 2, 3], rank)) {
        for order in permutations(sizes.len()) {
            let shape = shape_of(&sizes, &order);
            for key in ["numpy", "memref", "torch"] {
                let notation = Notation::with_key(key).unwrap();
                // A tensor of PyTorch's has its type and its sizes beside its strides.
                let given = Given {
                    sizes: Some(&sizes),
                    element_type: Some(F32),
                    ..Given::default()
                };
                let text = notation.print(&shape, &given).unwrap().to_string();
                let read = notation.read(&text, &given).unwrap();
                let order = &read.layout.as_ref().unwrap().minor_to_major;
                let strides =
                    running_products(&sizes, &shape.layout.as_ref().unwrap().minor_to_major);
                assert_eq!(
                    running_products(&sizes, order),
                    strides,
                    "{shape}: {text}: {read}"
                );
            }
        }
    }
}

/// A view of one index keeps the sequence of its array, in which it has gaps or is dense.
#[test]
fn one_index_keeps_the_sequence() {
    for sizes in lists(&[2, 3], 3) {
        for order in permutations(3) {
            let strides = running_products(&sizes, &order);
            for dimension in 0..3 {
                let mut part = sizes.clone();
                part[dimension] = 1;
                let host = StridedArray::from_element_strides(F32, &part, &strides).unwrap();
                let layout = host.padded().unwrap().layout.unwrap();
                assert_eq!(layout.minor_to_major[..], order[..], "{part:?} {strides:?}");
            }
        }
    }
}

/// A stride of a dimension of size 1 that names no place changes nothing.
#[test]
fn strides_that_fit_nowhere_change_nothing() {
    for sizes in lists(&SIZES, 3) {
        for order in permutations(3) {
            let strides = running_products(&sizes, &order);
            let read = |number: i64| {
                let other: Vec<i64> = (0..3)
                    .map(|d| match sizes[d] {
                        _ if sizes.contains(&0) => number,
                        1 => number,
                        _ => strides[d] * 4,
                    })
                    .collect();
                StridedArray::new(F32, &sizes, &other).unwrap()
            };
            // No whole element, nothing, or the least number.
            let dense = read(0);
            for odd in [1, -1, 3, 7, i64::MIN + 1] {
                assert_eq!(read(odd), dense, "{sizes:?} {strides:?} {odd}");
            }
            let many: Vec<i64> = order
                .iter()
                .copied()
                .filter(|&d| sizes[d as usize] > 1)
                .collect();
            let layout = dense.dense().unwrap().layout.unwrap();
            let list = &layout.minor_to_major;
            if sizes.contains(&0) || many.is_sorted_by(|a, b| a > b) {
                assert_eq!(list[..], [2, 1, 0], "{sizes:?} {strides:?}");
            } else if many.is_sorted() {
                assert_eq!(list[..], [0, 1, 2], "{sizes:?} {strides:?}");
            } else {
                assert_eq!(list[..], order[..]);
            }
        }
    }
    let text = |sizes: &[i64], strides: &[i64]| {
        let host = StridedArray::new(F32, sizes, strides).unwrap();
        host.dense().unwrap().to_string()
    };
    // Neither row-major nor column-major: above the dimension after it, the last one lowest.
    assert_eq!(
        text(&[2, 1, 3, 4, 1], &[48, 0, 4, 12, 0]),
        "f32[2,1,3,4,1]{4,2,1,3,0}"
    );
    assert_eq!(
        text(&[1, 3, 4, 2], &[0, 4, 12, 48]),
        "f32[1,3,4,2]{0,1,2,3}"
    );
    // The first dimensions are the most major ones: a batch of one in channels_last.
    assert_eq!(text(&[1, 2, 3, 4], &[0, 4, 32, 8]), "f32[1,2,3,4]{1,3,2,0}");
    assert_eq!(
        text(&[1, 2, 3, 4], &[96, 4, 32, 8]),
        "f32[1,2,3,4]{1,3,2,0}"
    );
    // One channel in channels_last: its stride is that of the innermost dimension.
    assert_eq!(
        text(&[2, 1, 3, 4], &[48, 4, 16, 4]),
        "f32[2,1,3,4]{1,3,2,0}"
    );
    assert_eq!(
        text(&[2, 1, 3, 4], &[48, 48, 16, 4]),
        "f32[2,1,3,4]{3,2,1,0}"
    );
}

/// Whether some minor_to_major and some widths make these strides, by trying them all.
fn expressible(sizes: &[i64], strides: &[i64], widest: i64) -> bool {
    permutations(sizes.len()).iter().any(|order| {
        fn fits(order: &[i64], sizes: &[i64], strides: &[i64], stride: i64, widest: i64) -> bool {
            let Some((&d, above)) = order.split_first() else {
                return true;
            };
            let d = d as usize;
            (sizes[d] == 1 || strides[d] == stride)
                && (sizes[d]..=widest)
                    .any(|width| fits(above, sizes, strides, stride * width, widest))
        }
        fits(order, sizes, strides, 1, widest)
    })
}

/// All small strides, with and without a sign: what is answered is where the elements lie, and what
/// is refused no padding expresses.
#[test]
fn all_small_strides() {
    let mut kinds = [0; 5];
    for rank in 1..=3_usize {
        let strides: Vec<i64> = if rank < 3 {
            (-9..=9).collect()
        } else {
            (-2..=8).collect()
        };
        for sizes in lists(&[1, 2, 3], rank) {
            for strides in lists(&strides, rank) {
                let bytes: Vec<i64> = strides.iter().map(|n| n * 4).collect();
                let host = StridedArray::new(F32, &sizes, &bytes);
                assert_eq!(
                    StridedArray::from_element_strides(F32, &sizes, &strides).is_ok(),
                    host.is_ok(),
                );
                let stands = |d: usize| sizes[d] > 1 && strides[d] != 0;
                let stored: Vec<i64> = (0..rank)
                    .map(|d| if stands(d) { sizes[d] } else { 1 })
                    .collect();
                let forwards: Vec<i64> = strides.iter().map(|n| n.abs()).collect();
                let Ok(host) = host else {
                    assert!(!expressible(&stored, &forwards, 9), "{sizes:?} {strides:?}");
                    kinds[4] += 1;
                    continue;
                };
                kinds[host.kind() as usize] += 1;
                check(&host, &sizes, &strides, &stored);
            }
        }
    }
    assert!(kinds.iter().all(|&n| n > 100), "{kinds:?}");
}

fn check(host: &StridedArray, sizes: &[i64], strides: &[i64], stored: &[i64]) {
    let case = format!("{sizes:?} {strides:?}");
    let in_memory = map(host.stored());
    let stored_sizes: Vec<i64> = host
        .stored()
        .dims
        .iter()
        .map(|dim| dim.bound().unwrap())
        .collect();
    assert_eq!(stored_sizes, stored, "{case}");
    each_index(sizes, &mut |index| {
        let at: i64 = index.iter().zip(strides).map(|(&i, n)| i as i64 * n).sum();
        let place = (0..sizes.len()).fold(0, |place, d| {
            let i = match index[d] {
                _ if host.is_broadcast(d) => 0,
                i if host.is_reversed(d) => stored[d] as usize - 1 - i,
                i => i,
            };
            place * stored[d] as usize + i
        });
        // Strides of dimensions of size 1 take no part: their index is 0.
        assert_eq!(
            in_memory[place] as i64,
            host.first_element() + at,
            "{case} {index:?}"
        );
    });
    let any = |test: &dyn Fn(usize) -> bool| (0..sizes.len()).any(|d| sizes[d] > 1 && test(d));
    let kind = if any(&|d| strides[d] == 0) {
        StridesKind::Broadcast
    } else if any(&|d| strides[d] < 0) {
        StridesKind::Reversed
    } else if in_memory.iter().max() != Some(&(in_memory.len() - 1)) {
        StridesKind::Padded
    } else {
        StridesKind::Dense
    };
    assert_eq!(host.kind(), kind, "{case}");
    assert_eq!(host.dense().is_ok(), kind == StridesKind::Dense, "{case}");
    let whole = matches!(kind, StridesKind::Dense | StridesKind::Padded);
    assert_eq!(host.padded().is_ok(), whole, "{case}");
    for d in 0..sizes.len() {
        assert!(
            sizes[d] == 1 || host.element_strides()[d] == strides[d],
            "{case}"
        );
    }
}

#[test]
fn hostile_numbers() {
    let boundary = |sizes: &[i64], strides: &[i64]| match StridedArray::new(F32, sizes, strides)
        .map_err(|error| *error.kind())
    {
        Err(error) => error,
        other => panic!("{other:?}"),
    };
    const MAX: i64 = i64::MAX - 3;
    assert!(matches!(
        boundary(&[2, 2], &[i64::MIN, i64::MIN]),
        BoundaryError::ElementGap {
            dimension: 1,
            stride: i64::MIN,
            ..
        }
    ));
    assert!(matches!(
        boundary(&[i64::MAX, i64::MAX], &[MAX, 4]),
        BoundaryError::Overlap {
            dimension: 0,
            inner: 1,
            ..
        }
    ));
    assert!(matches!(
        boundary(&[2; 65], &[4; 65]),
        BoundaryError::TooManyDimensions { .. }
    ));
    assert!(matches!(
        boundary(&[2], &[]),
        BoundaryError::StridesLength { listed: 0, rank: 1 }
    ));
    for (sizes, strides) in [
        (&[2, i64::MAX][..], &[4, 8][..]),
        (&[-1], &[4]),
        (&[i64::MIN, 0], &[4, 4]),
        (&[2, 2], &[MAX, 4]),
        (&[3, 2], &[i64::MIN, 4]),
        (&[i64::MAX; 40], &[0; 40]),
    ] {
        // An error or an answer, but no panic.
        if let Ok(host) = StridedArray::new(F32, sizes, strides) {
            let _ = (host.byte_strides(), host.dense(), host.first_element());
        }
    }
    // 64 dimensions broadcast are one element.
    let host = StridedArray::new(F32, &[i64::MAX; 64], &[0; 64]).unwrap();
    assert_eq!(host.kind(), StridesKind::Broadcast);
}

#[test]
fn layouts_without_strides() {
    let error = |text: &str| {
        let shape = text.parse().unwrap();
        StridedArray::of_shape(&shape).unwrap_err().to_string()
    };
    assert!(error("f32[16,256]{1,0:T(8,128)}").contains("tiled"));
    assert!(error("f32[?,3]").contains("only the run time knows the size of dimension 0"));
    assert!(error("f32[9]{0:SC(0:3)}").contains("the splits"));
    assert!(error("f32[9]{0:M(8)}").contains("the metadata"));
    // These tiles change nothing.
    let shape = "f32[4,256]{1,0:T(1,128)}".parse().unwrap();
    assert_eq!(
        StridedArray::of_shape(&shape)
            .unwrap()
            .byte_strides()
            .unwrap()[..],
        [1024, 4]
    );
}
