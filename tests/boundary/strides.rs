//! Strides to a layout, exhaustively for small arrays.

use xlayout::PrimitiveType::F32;
use xlayout::interop::{BoundaryError, StridedArray, StridesKind};
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

/// Strides that mean nothing change nothing, and the place of their dimensions is the documented.
#[test]
fn equal_arrays_have_equal_layouts() {
    for sizes in lists(&SIZES, 3) {
        for order in permutations(3) {
            let shape = shape_of(&sizes, &order);
            let host = StridedArray::of_shape(&shape).unwrap();
            let strides = host.byte_strides().unwrap();
            let dense = StridedArray::new(F32, &sizes, &strides).unwrap();
            for odd in [0, 1, -1, 4, 7, 1000, i64::MAX, i64::MIN] {
                let other: Vec<i64> = (0..3)
                    .map(|d| match sizes[d] {
                        _ if sizes.contains(&0) => odd,
                        1 => odd,
                        _ => strides[d],
                    })
                    .collect();
                let host = StridedArray::new(F32, &sizes, &other).unwrap();
                assert_eq!(host, dense, "{sizes:?} {other:?}");
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
    // Not row-major and not column-major: above the dimension after it; the last one lowest.
    assert_eq!(
        text(&[2, 1, 3, 4, 1], &[48, 0, 4, 12, 0]),
        "f32[2,1,3,4,1]{4,2,1,3,0}"
    );
    assert_eq!(
        text(&[1, 3, 4, 2], &[0, 4, 12, 48]),
        "f32[1,3,4,2]{0,1,2,3}"
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
