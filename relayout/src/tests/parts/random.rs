//! Random parts of every kind of arrays.

use super::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn parts_of_any_rank((text, _, cuts, other, by) in cases(), width in 0..3_u8) {
        macro_rules! law {
            ($of:ty) => {
                whole::<$of, _>(read(<$of>::NAME, &text), &other, &by, |whole, law| {
                    law.narrow(&mut (**whole).as_view_mut(), &cuts);
                })
            };
        }
        match width {
            0 => law!(u8),
            1 => law!(u16),
            _ => law!(u64),
        }
    }

    #[test]
    fn parts_of_other_kinds((text, rank, cuts, other, by) in cases()) {
        let layout = read("u32", &text);
        whole::<u32, _>(&layout, &other, &by, |whole, law| law.narrow(&mut (**whole).as_view_mut(), &cuts));
        branded(layout.clone(), |layout| {
            whole::<u32, _>(layout, &other, &by, |whole, law| law.narrow(&mut (**whole).as_view_mut(), &cuts));
        });
        if rank != 2 {
            return Ok(());
        }
        let ranked = layout.clone().ranked::<2>().unwrap();
        whole::<u32, _>(ranked, &other, &by, |whole, law| {
            law.narrow(&mut (**whole).as_view_mut(), &cuts);
        });
        if let Ok(strided) = StridedLayout::<[usize; 2]>::of(&layout) {
            whole::<u32, _>(strided, &other, &by, |whole, law| {
                law.narrow(&mut (**whole).as_view_mut(), &cuts);
            });
        }
    }

    #[test]
    fn parts_of_strides(
        sizes in [1..9_usize, 1..9_usize, 1..9_usize],
        more in [0..3_usize, 0..3_usize, 0..3_usize],
        signs in any::<[bool; 3]>(),
        turned in any::<bool>(),
        (cuts, other, by) in (cuts(), others(3), ways()),
    ) {
        let mut strides = [0; 3];
        let mut step = 1;
        for dim in if turned { [0, 1, 2] } else { [2, 1, 0] } {
            strides[dim] = step + more[dim];
            step = strides[dim] * sizes[dim];
        }
        let mut signed = strides.map(|stride| stride as isize);
        let forwards = StridedLayout::new::<u32>(sizes, signed).unwrap().forwards().unwrap();
        whole::<u32, _>(forwards, &other, &by, |whole, law| law.narrow(&mut (**whole).as_view_mut(), &cuts));
        for (stride, minus) in signed.iter_mut().zip(signs) {
            *stride = if minus { -*stride } else { *stride };
        }
        let signed = StridedLayout::new::<u32>(sizes, signed).unwrap();
        whole::<u32, _>(signed, &other, &by, |whole, law| law.narrow(&mut (**whole).as_view_mut(), &cuts));
    }

    #[test]
    fn parts_of_types(kind in 0..7_u8, (cuts, other, by) in (cuts(), others(2), ways())) {
        macro_rules! law {
            ($layout:expr) => {{
                whole::<u32, _>($layout, &other, &by, |whole, law| {
                    law.narrow(&mut (**whole).as_view_mut(), &cuts);
                });
            }};
            ($layout:expr, $block:ty) => {{
                law!($layout);
                whole::<u32, _>($layout, &other, &by, |whole, law| {
                    law.blocks::<2, _, $block>(whole, &cuts);
                });
            }};
        }
        match kind {
            0 => law!(Dense::default(), (Nat<3>, Nat<4>)),
            1 => law!(PaddedRows::default(), (Nat<3>, Nat<4>)),
            2 => law!(Tiled::default(), (Nat<2>, Nat<4>)),
            3 => law!(Uneven::default()),
            4 => law!(Merged::default()),
            5 => law!(MixedRows::with_sizes([5, 12]).unwrap(), (Nat<2>, Nat<4>)),
            _ => law!(MixedTiles::with_sizes([5, 12]).unwrap(), (Nat<2>, Nat<4>)),
        }
    }

    #[test]
    fn blocks_at_run_time((text, rank, cuts, other, by) in cases()) {
        prop_assume!(rank == 2);
        let layout = read("u32", &text);
        prop_assume!(layout.buffer_len() < 600);
        let ranked = layout.clone().ranked::<2>().unwrap();
        whole::<u32, _>(ranked.clone(), &other, &by, |whole, law| {
            law.blocks::<2, _, (Nat<2>, Nat<4>)>(whole, &cuts);
        });
        whole::<u32, _>(ranked, &other, &by, |whole, law| {
            law.blocks::<2, _, (Nat<3>, Nat<1>)>(whole, &cuts);
        });
    }

    /// The source is a repeated dimension, or a part of one.
    #[test]
    fn broadcast_sources((text, rank, cuts, other, by) in cases(), dim in 0..3_usize, (times, start) in (0..6_usize, 0..6_usize)) {
        let dim = dim % rank;
        let layout = read("u16", &text);
        prop_assume!(layout.dims()[dim] > 0);
        whole::<u16, _>(layout, &other, &by, |whole, law| {
            let mut sizes = whole.layout().shape();
            sizes.set(dim, 1);
            let origin = <xlayout_core::DynCoordinates as Coordinates>::origin(rank);
            // Without the merged dimensions.
            let Ok(row) = whole.region(origin, sizes) else { return };
            match (dim, cuts.len() % 2) {
                (0, 0) => law.repeated::<_, 0>(&row, times, start),
                (1, 0) => law.repeated::<_, 1>(&row, times, start),
                (_, 0) => law.repeated::<_, 2>(&row, times, start),
                _ if whole.layout().dims()[dim] == 1 => match dim {
                    0 => law.repeated::<_, 0>(&(**whole).as_view(), times, start),
                    1 => law.repeated::<_, 1>(&(**whole).as_view(), times, start),
                    _ => law.repeated::<_, 2>(&(**whole).as_view(), times, start),
                },
                _ => {}
            }
        });
    }

    /// Parts of one array, from one to another and on threads.
    #[test]
    fn parts_of_one_array((text, rank, _, other, by) in cases(), dim in 0..3_usize, len in 1..9_usize) {
        let dim = dim % rank;
        whole::<u16, _>(read("u16", &text), &other, &by, |whole, law| {
            let mut part = (**whole).as_view_mut();
            let halves = part.layout().dims()[dim] / 2;
            // One half to the other. The elements of both lie between each other.
            let split = match dim {
                0 => part.split_at_mut::<0>(halves),
                1 => part.split_at_mut::<1>(halves),
                _ => part.split_at_mut::<2>(halves),
            };
            if let Ok((left, mut right)) = split {
                let mut sizes = left.layout().shape();
                sizes.set(dim, halves);
                if let Ok(mut right) = right.region_mut(xlayout_core::DynCoordinates::origin(rank), sizes) {
                    let from = law.places(&left);
                    let to = law.places(&right);
                    by.copy(&left, &mut right).unwrap();
                    for ((_, from), (_, to)) in from.iter().zip(to) {
                        law.expected[to] = law.before[*from];
                    }
                }
            }
        });
        // Each chunk from an array of its own, all at the same time.
        let number = |index: &[usize]| {
            let all = index.iter().fold(0, |sum, i| 50 * sum + i);
            u16::of(all + 33_333)
        };
        let layout = read("u16", &text);
        let mut memory: Vec<u16> = (0..layout.buffer_len()).map(u16::of).collect();
        let mut expected = memory.clone();
        let mut array = SliceViewMut::new(&layout, &mut memory[..]).unwrap();
        let chunks = match dim {
            0 => array.try_chunks_mut::<0>(len),
            1 => array.try_chunks_mut::<1>(len),
            _ => array.try_chunks_mut::<2>(len),
        };
        let Ok(chunks) = chunks else { return Ok(()) };
        std::thread::scope(|scope| {
            for (k, mut chunk) in chunks.enumerate() {
                let sizes: Vec<_> = chunk.layout().shape().iter().map(usize::to_string).collect();
                let from = format!("u16[{}]{other}", sizes.join(","));
                let Ok(from) = from.parse::<DynLayout>() else { continue };
                let from = Array::from_fn(from, |at| {
                    let mut at = at.clone();
                    at.set(dim, at[dim] + k * len);
                    number(&at)
                });
                scope.spawn(move || relayout(&from.unwrap(), &mut chunk).unwrap());
            }
        });
        layout.for_each_in_memory(|index, linear| expected[linear] = number(index));
        prop_assert!(memory == expected, "chunks of {} in dimension {} of {}", len, dim, text);
    }
}
