//! Any layout: lowering never panics; where it works, linear index and multi index are each other's
//! inverse (law 1), and memory order is increasing.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_core::{
    ArrayLayout, ArrayShape, Dim, DynCoordinates, DynLayout, ElementType, Layout, List,
    MinorToMajor, StridedLayout, TileDim, Tiles,
};
use xlayout_emit::{EmitError, Functions, IndexMap, Language, Options};

#[derive(Arbitrary, Debug)]
enum Size {
    Small(u8),
    Middle(u16),
    Any(i64),
}

impl Size {
    fn get(&self) -> i64 {
        match self {
            Self::Small(n) => i64::from(n % 9),
            Self::Middle(n) => i64::from(*n),
            Self::Any(n) => *n,
        }
    }
}

#[derive(Arbitrary, Debug)]
struct Input {
    element_type: u8,
    sizes: Vec<Size>,
    /// Keys that dimensions are sorted by.
    order: Vec<u8>,
    tiles: Vec<Vec<Option<Size>>>,
    wider: Option<Vec<Size>>,
    alignment: Option<Size>,
    bits: Option<Size>,
    seeds: [u64; 6],
}

fn shape(input: &Input) -> Option<ArrayShape> {
    let rank = input.sizes.len().min(24);
    let sizes: Vec<i64> = input.sizes[..rank].iter().map(Size::get).collect();
    let mut order: Vec<i64> = (0..rank as i64).collect();
    order.sort_by_key(|&d| input.order.get(d as usize));
    let mut layout = Layout::new(MinorToMajor::new(&order).ok()?);
    layout.tiles = Tiles::new();
    for tile in input.tiles.iter().take(6) {
        let entry = |entry: &Option<Size>| match entry {
            Some(size) => TileDim::Size(size.get()),
            None => TileDim::Combine,
        };
        let tile: Vec<TileDim> = tile.iter().take(8).map(entry).collect();
        layout.tiles.push(&tile).ok()?;
    }
    if let Some(wider) = &input.wider {
        let width =
            |(k, size): (usize, &i64)| size.saturating_add(wider.get(k).map_or(0, Size::get));
        layout.padded_dimensions = List::try_from_iter(sizes.iter().enumerate().map(width)).ok()?;
    }
    if let Some(alignment) = &input.alignment {
        layout.tail_padding_alignment_in_elements = alignment.get();
    }
    if let Some(bits) = &input.bits {
        layout.element_size_in_bits = bits.get();
    }
    Some(ArrayShape::from_parts(
        ElementType::from_number(i64::from(input.element_type % 37))?,
        List::try_from_iter(sizes.into_iter().map(Dim::Static)).ok()?,
        Some(layout),
    ))
}

fuzz_target!(|input: Input| {
    let Some(shape) = shape(&input) else { return };
    let layout = match DynLayout::new(shape) {
        Ok(layout) => layout,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let sizes = layout.dims();
    let places = layout.buffer_len();
    assert!(layout.elements() <= places && layout.bytes() <= i64::MAX as usize);
    let emitted = match IndexMap::of(&layout) {
        Ok(map) => Functions::new(&map).ok(),
        Err(error) => {
            assert!(error == EmitError::NoElements && layout.elements() == 0);
            None
        }
    };
    for language in Language::ALL {
        let text = emitted
            .as_ref()
            .map(|functions| functions.emit(&Options::new(language)));
        if let Some(Err(error)) = text {
            assert_eq!(error, EmitError::TooLarge { bits: 32 });
        }
    }
    for seed in input.seeds {
        if layout.elements() > 0 {
            let coordinate =
                |(d, size): (usize, &usize)| seed.rotate_left(13 * d as u32) as usize % size;
            let index: Vec<usize> = sizes.iter().enumerate().map(coordinate).collect();
            let index = DynCoordinates::from(&index[..]);
            let place = layout.linear_index(&index);
            assert!(place < places);
            assert_eq!(layout.multi_index(place).as_ref(), Some(&index));
            if let Some(functions) = &emitted {
                let index: Vec<u64> = index.as_ref().iter().map(|&i| i as u64).collect();
                assert_eq!(functions.linear_index(&index), place as u64);
                assert_eq!(functions.multi_index(place as u64), Some(index));
            }
            if let Some(strides) = layout.strides() {
                let dot: usize = index
                    .iter()
                    .zip(strides.iter())
                    .map(|(i, stride)| i * stride)
                    .sum();
                assert_eq!(dot, place);
            }
        }
        // Any number, in bounds or not.
        for place in [seed as usize, seed as usize % places.max(1)] {
            if let Some(index) = layout.multi_index(place) {
                assert!(layout.in_bounds(&index));
                assert_eq!(layout.linear_index(&index), place);
            }
            let _ = layout.linear_index(&vec![place; sizes.len()][..].into());
            let _ = layout.bit_offset(place);
        }
    }
    if places <= 5_000 {
        everywhere(&layout);
    }
    known::<1>(&layout);
    known::<2>(&layout);
    known::<3>(&layout);
});

/// Small: every place.
fn everywhere(layout: &DynLayout) {
    let mut expected =
        (0..layout.buffer_len()).filter_map(|place| Some((layout.multi_index(place)?, place)));
    layout.for_each_in_memory(|index, place| {
        assert_eq!(Some((index.clone(), place)), expected.next());
    });
    assert_eq!(expected.next(), None);
    let count = layout.indices_in_memory().map(|(index, linear)| {
        assert_eq!(layout.linear_index(index.coordinates()), linear.get());
    });
    assert_eq!(count.count(), layout.elements());
    let last = layout
        .indices()
        .map(|index| layout.linear_index(index.coordinates()))
        .max();
    assert_eq!(
        layout.is_contiguous(),
        last.map_or(0, |last| last + 1) == layout.elements()
    );
}

fn known<const N: usize>(layout: &DynLayout) {
    let Ok(strided) = StridedLayout::<[usize; N]>::of(layout) else {
        return;
    };
    for place in [
        0,
        layout.buffer_len() / 2,
        layout.buffer_len().saturating_sub(1),
        usize::MAX,
    ] {
        let found = strided.multi_index(place);
        assert_eq!(
            found.as_ref().map(|i| &i[..]),
            layout.multi_index(place).as_deref()
        );
        if let (Some(index), Ok(narrow)) = (found, strided.narrow()) {
            assert_eq!(
                narrow.linear_index(&index.map(|i| i as u32)) as usize,
                place
            );
        }
    }
}
