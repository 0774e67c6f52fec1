//! Layouts of any sizes and strides, of either sign, in elements and in bytes: they are refused
//! with words, or the linear index is the sum of coordinate times stride from the lowest element
//! on, no two elements have one, and the way back leads to it.
#![no_main]

use std::collections::HashMap;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_core::{ArrayLayout, Coordinates, DynCoordinates, StridedLayout};

#[derive(Arbitrary, Debug)]
enum Number {
    Small(i8),
    Middle(i16),
    Any(i64),
}

impl Number {
    fn get(&self) -> i64 {
        match self {
            Self::Small(number) => i64::from(*number % 12),
            Self::Middle(number) => i64::from(*number),
            Self::Any(number) => *number,
        }
    }
}

#[derive(Arbitrary, Debug)]
struct Input {
    dims: Vec<(Number, Number)>,
    in_bytes: bool,
    more_strides: u8,
    seeds: [u64; 3],
}

fuzz_target!(|input: Input| {
    let rank = input.dims.len().min(18);
    let dims = &input.dims[..rank];
    let sizes: Vec<usize> = dims.iter().map(|(size, _)| size.get() as usize).collect();
    let mut strides: Vec<i64> = dims.iter().map(|(_, stride)| stride.get()).collect();
    if input.more_strides == 1 {
        strides.push(1);
    }
    let made = |sizes: &[usize]| of::<DynCoordinates>(sizes.into(), &strides, input.in_bytes);
    let Some(layout) = made(&sizes) else { return };
    check(&layout, &sizes, &strides, &input);
    macro_rules! known {
        ($($rank:literal)*) => {
            match &sizes[..] {
                $(sizes if sizes.len() == $rank => {
                    let fixed: [usize; $rank] = sizes.try_into().expect("the rank");
                    let known = of::<[usize; $rank]>(fixed, &strides, input.in_bytes);
                    check(&known.expect("as for any rank"), sizes, &strides, &input);
                })*
                _ => {}
            }
        };
    }
    known!(0 1 2 3 4);
});

fn of<C: Coordinates>(
    sizes: C,
    strides: &[i64],
    in_bytes: bool,
) -> Option<StridedLayout<C, isize>> {
    let made = match in_bytes {
        true => StridedLayout::from_byte_strides::<u32>(sizes, strides),
        false => StridedLayout::new::<u32>(sizes, strides),
    };
    made.map_err(|error| assert!(!error.to_string().is_empty()))
        .ok()
}

fn check<C: Coordinates>(
    layout: &StridedLayout<C, isize>,
    sizes: &[usize],
    strides: &[i64],
    input: &Input,
) {
    assert_eq!(strides.len(), sizes.len());
    assert_eq!(layout.shape().as_ref(), sizes);
    let unit = if input.in_bytes { 4 } else { 1 };
    let steps: Vec<i128> = std::iter::zip(sizes, strides)
        .map(|(&size, &stride)| {
            if size > 1 {
                i128::from(stride) / unit
            } else {
                0
            }
        })
        .collect();
    let elements = sizes
        .iter()
        .fold(1_u128, |all, &size| all.saturating_mul(size as u128));
    assert_eq!(layout.elements() as u128, elements);
    if elements == 0 {
        return;
    }
    let reach = |of: fn(&i128) -> bool| -> i128 {
        let reached = std::iter::zip(sizes, &steps).filter(|(_, step)| of(step));
        reached.map(|(&size, step)| (size as i128 - 1) * step).sum()
    };
    let lowest = reach(|step| *step < 0);
    let highest = reach(|step| *step > 0);
    assert_eq!(layout.buffer_len() as i128, highest - lowest + 1);
    let place = |index: &[usize]| -> i128 {
        let products = std::iter::zip(index, &steps).map(|(&i, step)| i as i128 * step);
        products.sum::<i128>() - lowest
    };
    let forwards = layout.clone().forwards();
    assert_eq!(forwards.is_ok(), lowest == 0);
    for seed in input.seeds {
        let mut index = C::origin(sizes.len());
        for (dim, size) in sizes.iter().enumerate() {
            index.set(dim, seed.rotate_left(13 * dim as u32) as usize % size);
        }
        let linear = layout.linear_index(&index);
        assert_eq!(linear as i128, place(index.as_ref()));
        assert_eq!(layout.multi_index(linear).as_ref(), Some(&index));
        if let Ok(forwards) = &forwards {
            assert_eq!(forwards.linear_index(&index), linear);
        }
        let any = seed as usize % layout.buffer_len();
        if let Some(found) = layout.multi_index(any) {
            assert_eq!(place(found.as_ref()), any as i128);
        }
    }
    if elements > 2000 {
        return;
    }
    let mut all = HashMap::new();
    layout.for_each_index(|index| {
        let before = all.insert(place(index.as_ref()), index.clone());
        assert!(before.is_none(), "two elements are one");
    });
    for linear in 0..layout.buffer_len().min(4000) {
        assert_eq!(
            layout.multi_index(linear).as_ref(),
            all.get(&(linear as i128))
        );
    }
}
