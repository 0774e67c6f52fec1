//! The expressions against the layouts that they are made of.

mod affine;
mod layouts;

use proptest::prelude::*;
use xlayout_algebra::Map;
use xlayout_core::{ArrayLayout, DynLayout};
use xlayout_emit::{EmitError, Functions, IndexMap, Language, Options};

fn functions(layout: &DynLayout) -> Functions {
    Functions::new(&IndexMap::of(layout).unwrap()).unwrap()
}

/// The index and the linear index of each element.
fn elements(layout: &DynLayout) -> impl Iterator<Item = (Vec<u64>, u64)> {
    layout.indices().map(|index| {
        let coordinates: &[usize] = index.coordinates().as_ref();
        let numbers = coordinates.iter().map(|&i| i as u64).collect();
        (numbers, layout.linear_index(index.coordinates()) as u64)
    })
}

/// Every element of a layout: its linear index, and its index from that.
fn check(layout: &DynLayout) {
    let functions = functions(layout);
    for (index, linear) in elements(layout) {
        assert_eq!(functions.linear_index(&index), linear, "{layout} {index:?}");
        assert_eq!(
            functions.multi_index(linear).as_ref(),
            Some(&index),
            "{layout} {linear}"
        );
    }
}

#[test]
fn expressions_are_the_layout() {
    let layouts = layouts::all();
    assert!(layouts.len() >= 300, "{}", layouts.len());
    layouts.iter().for_each(check);
}

proptest! {
    #[test]
    fn random_layouts(layout in layouts::random()) {
        check(&layout);
    }
}

#[test]
fn affine_maps_are_the_layout() {
    for layout in layouts::all() {
        let text = functions(&layout)
            .emit(&Options::new(Language::Mlir))
            .unwrap();
        let maps = affine::read(&text);
        for (index, linear) in elements(&layout) {
            assert_eq!(maps["linear_index"].at(&index), [linear], "{text}");
            if !index.is_empty() {
                assert_eq!(maps["multi_index"].at(&[linear]), index, "{text}");
            }
        }
    }
}

/// What CuTe computes.
fn swizzled(x: u64, bits: u32, base: u32, shift: i32) -> u64 {
    let ones = (1 << bits) - 1;
    match shift {
        0.. => x ^ ((x & (ones << (base + shift as u32))) >> shift),
        _ => x ^ ((x & (ones << base)) << -shift),
    }
}

#[test]
fn swizzles_are_those_of_cute() {
    let layout: DynLayout = "f32[16,32]{1,0}".parse().unwrap();
    for (bits, base, shift) in [
        (3, 0, 3),
        (2, 1, 3),
        (1, 0, -1),
        (3, 2, -4),
        (0, 0, 0),
        (3, 3, 3),
    ] {
        let map = IndexMap::of(&layout)
            .unwrap()
            .swizzled(bits, base, shift)
            .unwrap();
        let functions = Functions::new(&map).unwrap();
        let text = functions.emit(&Options::new(Language::Mlir)).unwrap();
        let maps = affine::read(&text);
        for (index, linear) in elements(&layout) {
            let swizzled = swizzled(linear, bits, base, shift);
            assert_eq!(functions.linear_index(&index), swizzled);
            assert_eq!(functions.multi_index(swizzled).as_ref(), Some(&index));
            assert_eq!(maps["linear_index"].at(&index), [swizzled], "{text}");
            assert_eq!(maps["multi_index"].at(&[swizzled]), index, "{text}");
        }
    }
}

#[test]
fn what_cannot_be_emitted() {
    let map = |text: &str| IndexMap::of(&text.parse().unwrap());
    assert_eq!(map("f32[0,3]{1,0}"), Err(EmitError::NoElements));
    let small = map("f32[2,3]{1,0}").unwrap();
    for (bits, base, shift) in [
        (3, 0, 2),
        (3, 0, -2),
        (20, 20, 40),
        (1, 0, i32::MIN),
        (u32::MAX, 1, 1),
    ] {
        let error = small.clone().swizzled(bits, base, shift).unwrap_err();
        assert_eq!(error, EmitError::Swizzle { bits, base, shift });
    }
    let functions = Functions::new(&small).unwrap();
    for language in Language::ALL {
        assert!(
            functions
                .emit(&Options::new(language).named("a b"))
                .is_err()
        );
        assert!(functions.emit(&Options::new(language).named("0a")).is_err());
        let wide = functions.emit(&Options::new(language).wide(true));
        assert_eq!(wide.is_ok(), language != Language::Wgsl);
    }
    // The largest linear index has 32 bits, and then 33.
    let just = Functions::new(&map("s4[4294967296]{0:E(4)}").unwrap()).unwrap();
    let more = Functions::new(&map("s4[4294967297]{0:E(4)}").unwrap()).unwrap();
    let options = Options::new(Language::Wgsl);
    assert!(just.emit(&options).is_ok());
    assert_eq!(more.emit(&options), Err(EmitError::TooLarge { bits: 32 }));
}

/// Strides of any sign, constants, and digits of merged coordinates.
#[test]
fn maps_of_the_algebra() {
    let strided = |sizes: &[u64], strides: &[i64], constant| {
        let map = Map::<64>::strided(sizes, strides).unwrap();
        map.scale(1, constant).unwrap()
    };
    let shared = Map::<64>::strided(&[6, 4], &[3, 1]).unwrap();
    let merged = strided(&[8, 5], &[8, 1], 0).reshape(&[4, 10]).unwrap();
    let cases = [
        (strided(&[4, 8], &[-8, 1], 24), true),
        (strided(&[3, 5, 2], &[-1, 7, -40], 45), true),
        (strided(&[3, 5], &[10, 2], 4), true),
        (strided(&[7], &[-3], 18), true),
        (strided(&[2, 1, 3], &[3, 99, 1], 0), true),
        (shared, false),
        (strided(&[2, 3], &[0, 1], 0), false),
        (merged, true),
    ];
    let crossed = layouts::crossed().into_iter().map(|map| (map, true));
    let cases = cases.into_iter().chain(crossed);
    for (map, has_inverse) in cases {
        let functions = Functions::new(&IndexMap::of_map("a map", &map).unwrap()).unwrap();
        let text = functions.emit(&Options::new(Language::Mlir)).unwrap();
        assert_eq!(!text.contains("No multi_index"), has_inverse, "{text}");
        let affine = affine::read(&text);
        for element in 0..map.size() {
            let mut rest = element;
            let mut index: Vec<u64> = map
                .extents()
                .iter()
                .rev()
                .map(|&size| {
                    let coordinate = rest % size;
                    rest /= size;
                    coordinate
                })
                .collect();
            index.reverse();
            let linear = map.at(&index).unwrap() as u64;
            assert_eq!(functions.linear_index(&index), linear, "{map} {index:?}");
            assert_eq!(affine["linear_index"].at(&index), [linear], "{text}");
            if has_inverse {
                assert_eq!(
                    functions.multi_index(linear).as_ref(),
                    Some(&index),
                    "{map}"
                );
                assert_eq!(affine["multi_index"].at(&[linear]), index, "{text}");
            }
        }
    }
    let negative = IndexMap::of_map("a map", &strided(&[4], &[-1], 0));
    assert_eq!(negative, Err(EmitError::Negative { least: -3 }));
}
