//! Bitcasts of layouts with reversed dimensions, by the places of all elements.

use std::vec;
use std::vec::Vec;

use crate::{ArrayLayout, DynCoordinates, SliceView, StridedLayout};

/// All layouts of a few sizes and strides: a reshape and a transpose are what moves no element.
#[test]
fn reshapes_and_transposes_of_signed_strides() {
    type Layout = StridedLayout<DynCoordinates, isize>;
    let mut layouts: Vec<Layout> = Vec::new();
    for (sizes, strides) in [
        (&[6][..], &[1][..]),
        (&[2, 3], &[3, 1]),
        (&[3, 2], &[1, 3]),
        (&[3, 2], &[2, 1]),
        (&[2, 1, 3], &[3, 7, 1]),
        (&[2, 3], &[8, 2]),
        (&[6], &[2]),
        (&[3, 2], &[4, 2]),
        (&[2, 2], &[2, 1]),
        (&[4], &[1]),
        (&[2, 0], &[2, 1]),
        (&[0], &[1]),
    ] {
        for signs in 0..1 << sizes.len() {
            let signed = strides.iter().enumerate();
            let signed = signed.map(|(dim, &stride)| {
                if signs >> dim & 1 == 1 {
                    -stride
                } else {
                    stride
                }
            });
            let signed: Vec<isize> = signed.collect();
            let sizes = DynCoordinates::from(sizes);
            layouts.push(StridedLayout::new::<i32>(sizes, &signed[..]).unwrap());
        }
    }
    let places = |layout: &Layout, permutation: &[usize]| -> Vec<usize> {
        let indices = layout
            .indices()
            .map(|index| index.coordinates().as_ref().to_vec());
        let mut all: Vec<(Vec<usize>, usize)> = indices
            .map(|index| {
                let linear = layout.linear_index(&DynCoordinates::from(&index[..]));
                (permutation.iter().map(|&dim| index[dim]).collect(), linear)
            })
            .collect();
        all.sort();
        all.into_iter().map(|(_, linear)| linear).collect()
    };
    let mut found = [0; 2];
    for (a, b) in layouts
        .iter()
        .flat_map(|a| layouts.iter().map(move |b| (a, b)))
    {
        let data = vec![0; a.buffer_len()];
        let view = SliceView::new(a.clone(), &data[..]).unwrap();
        let ranks = [a.rank(), b.rank()];
        let identity: Vec<usize> = (0..3).collect();
        let same_memory = a.buffer_len() == b.buffer_len();
        let expected =
            same_memory && places(a, &identity[..ranks[0]]) == places(b, &identity[..ranks[1]]);
        let reshaped = view.clone().try_reshape(b.clone());
        assert_eq!(reshaped.is_ok(), expected, "{a:?} {b:?}");
        found[0] += usize::from(expected);
        let permutations: &[&[usize]] = match ranks {
            [1, 1] => &[&[0]],
            [2, 2] => &[&[0, 1], &[1, 0]],
            [3, 3] => &[&[0, 1, 2], &[2, 1, 0], &[1, 0, 2], &[0, 2, 1]],
            _ => continue,
        };
        for permutation in permutations {
            let sizes = a.shape();
            let permuted: Vec<usize> = permutation.iter().map(|&dim| sizes[dim]).collect();
            let expected = permuted[..] == b.shape()[..]
                && same_memory
                && places(a, permutation) == places(b, &identity[..ranks[1]]);
            let transposed = view.clone().try_transpose(*permutation, b.clone());
            assert_eq!(transposed.is_ok(), expected, "{a:?} {permutation:?} {b:?}");
            found[1] += usize::from(expected);
        }
    }
    assert!(
        found.iter().all(|&count| count > layouts.len() / 2),
        "{found:?}"
    );
}
