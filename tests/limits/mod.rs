//! Nothing panics or overflows, whatever is asked: sizes up to 2^63, layouts that no validation has
//! seen, indices of any length. (Debug builds panic on overflow.)
#![cfg(feature = "std")]

mod ask;
mod sizes;

use xlayout::shape::{
    Dim, List, MinorToMajor, NotLowered, PaddingValue, SplitConfigs, TileDim, Tiles,
};
use xlayout::{
    ArrayLayout, ArrayShape, DynLayout, ElementType, Layout, LayoutError, StridedLayout,
};

use xlayout_core::{dimension_letter, dimension_number};

use ask::ask;

const MAX: i64 = i64::MAX;

/// The numbers that break things.
const NUMBERS: [i64; 14] = [
    0,
    1,
    2,
    3,
    7,
    128,
    -1,
    -2,
    i64::MIN,
    MAX,
    MAX - 1,
    1 << 31,
    1 << 32,
    1 << 62,
];

/// A sequence of numbers, the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn number(&mut self) -> i64 {
        NUMBERS[self.below(NUMBERS.len())]
    }

    fn numbers(&mut self, most: usize) -> Vec<i64> {
        (0..self.below(most + 1)).map(|_| self.number()).collect()
    }

    fn dim(&mut self) -> Dim {
        match self.below(6) {
            0 => Dim::Unbounded,
            1 => Dim::Bounded(self.number()),
            _ => Dim::Static(self.number()),
        }
    }
}

#[test]
fn huge_sizes_in_text() {
    for text in [
        "u8[9223372036854775807]",
        "u8[9223372036854775807]{0:T(9223372036854775807)}",
        "u8[9223372036854775807]{0:T(128)}",
        "u8[9223372036854775807]{0:L(2)}",
        "u8[1]{0:L(9223372036854775807)}",
        "f32[1]{0:L(9223372036854775807)}",
        "u8[1]{0:E(9223372036854775807)}",
        "u8[2]{0:E(9223372036854775807)}",
        "u1[9223372036854775807]{0:E(1)}",
        "u8[1]{0:M(9223372036854775807)S(-128)}",
        "u8[1]{0:SC(9223372036854775807:9223372036854775807,-9223372036854775808)}",
        "u8[3,5]{1,0:SC(0:-9223372036854775808)(1:9223372036854775807)}",
        "u8[3,5]{1,0:T(9223372036854775807,1)}",
        "u8[3,5]{1,0:T(1,9223372036854775807)}",
        "u8[3,5]{1,0:T(3037000500,3037000500)}",
        "u8[3,5]{1,0:T(9223372036854775807,9223372036854775807)}",
        "u8[3,5]{1,0:T(*,9223372036854775807)}",
        "u8[3,5]{1,0:T(*,9223372036854775807)(7)}",
        "u8[3,5]{1,0:T(*,1000000000000)(7)(3)}",
        "u8[3037000499,3037000499]{0,1:T(*,3)(2)}",
        "u8[3037000499,3037000499]{0,1:T(7,5)(3,2)(2)}",
        "u8[0,9223372036854775807]",
        "u8[0,9223372036854775807,2]",
        "u8[9223372036854775807,0]{0,1}",
        "u8[3138885313924497295,0]{0,1:T(40847,*,7)(*,36751,36751)(*,11663)}",
        "u8[<=9223372036854775807,?]",
        "u8[?,?,?]{2,0,1:T(8,128)}",
        "c128[576460752303423487]",
        "u8[2,3], padded_dimensions = [9223372036854775807, 1]",
        "u8[2,3], padded_dimensions = [9223372036854775807, 3]",
        "u8[1,1], padded_dimensions = [3037000499, 3037000499]",
        "u8[1000000007,1000000007]{1,0:T(8,128)(4,1)}",
        "u8[1000000007,1000000007]{1,0:T(*,128)(4,1)}",
        "u8[2,2,2]{2,1,0:T(4611686018427387904)}",
        "u8[]{:T(4611686018427387904)(4611686018427387904)}",
    ] {
        match text.parse::<ArrayShape>() {
            Ok(shape) => ask(&shape),
            Err(error) => assert!(!error.render(text).to_string().is_empty()),
        }
    }
}

/// Built, not read: nothing has checked them.
#[test]
fn nonsense_that_was_built() {
    let mut draw = Draw(1);
    let types: Vec<_> = ElementType::all().collect();
    let mut lowered = 0;
    for _ in 0..20_000 {
        let rank = draw.below(4);
        let dims: Vec<Dim> = (0..rank).map(|_| draw.dim()).collect();
        let order = if draw.below(4) == 0 {
            draw.numbers(4)
        } else {
            let mut order: Vec<i64> = (0..rank as i64).collect();
            for k in (1..rank).rev() {
                order.swap(k, draw.below(k + 1));
            }
            order
        };
        let mut layout = Layout::new(MinorToMajor::new(&order).expect("there is a heap"));
        if draw.below(2) == 0 {
            layout.tiles = Tiles::new();
            for _ in 0..draw.below(4) {
                let tile = draw.numbers(4).into_iter();
                let tile: Vec<TileDim> = tile
                    .map(|n| {
                        if n == i64::MIN {
                            TileDim::Combine
                        } else {
                            TileDim::Size(n)
                        }
                    })
                    .collect();
                layout.tiles.push(&tile).expect("there is a heap");
            }
        }
        if draw.below(4) == 0 {
            layout.tail_padding_alignment_in_elements = draw.number();
        }
        if draw.below(4) == 0 {
            layout.element_size_in_bits = draw.number();
        }
        if draw.below(4) == 0 {
            layout.dynamic_shape_metadata_prefix_bytes = draw.number();
            layout.memory_space = draw.number() as i8;
            layout.padding_value = Some(PaddingValue::Highest);
            layout.index_primitive_type = Some(types[draw.below(types.len())]);
        }
        if draw.below(4) == 0 {
            layout.split_configs = SplitConfigs::new();
            for _ in 0..draw.below(3) {
                let dimension = draw.number();
                let at = draw.numbers(3);
                layout
                    .split_configs
                    .push(dimension, &at)
                    .expect("there is a heap");
            }
        }
        if draw.below(6) == 0 {
            layout.padded_dimensions =
                List::try_from_iter(draw.numbers(4)).expect("there is a heap");
        }
        let shape = ArrayShape::from_parts(
            types[draw.below(types.len())],
            List::try_from_iter(dims).expect("there is a heap"),
            (draw.below(20) > 0).then_some(layout),
        );
        ask(&shape);
        lowered += usize::from(DynLayout::new(shape).is_ok());
    }
    // Some inputs are valid, so that more functions are reached.
    assert!(lowered > 1_000, "{lowered}");
}

#[test]
fn numbers_of_dimensions() {
    for rank in [0, 1, 4, usize::MAX] {
        for number in NUMBERS {
            let _ = dimension_number(number, rank);
        }
        for dimension in [0, 3, usize::MAX] {
            let _ = dimension_letter(dimension, rank);
        }
    }
    for number in NUMBERS {
        let _ = ElementType::from_number(number);
    }
}

/// Lists of every kind grow beyond their inline storage.
#[test]
fn long_lists() {
    let dims = vec!["1"; 40].join(",");
    let order = (0..40).map(|d| d.to_string()).collect::<Vec<_>>().join(",");
    let tile = vec!["2"; 45].join(",");
    let tiles = "(2)(2,1)".repeat(10);
    let splits = "(0:1,2,3)".repeat(20);
    let text = format!("u8[{dims}]{{{order}:T({tile}){tiles}SC{splits}}}");
    let shape: ArrayShape = text.parse().expect("the heap takes it");
    assert_eq!(shape.to_string(), text);
    ask(&shape);
    let padded = format!(
        "u8[{dims}]{{{order}}}, padded_dimensions = [{}]",
        vec!["1"; 40].join(", ")
    );
    assert_eq!(
        padded
            .parse::<DynLayout>()
            .map(|layout| layout.buffer_len()),
        Ok(1)
    );
    let layout: DynLayout = padded.parse().expect("it was read above");
    let found = StridedLayout::<[usize; 2]>::of(&layout);
    assert_eq!(
        found.err(),
        Some(LayoutError::Rank {
            expected: 2,
            found: 40
        })
    );
}

/// Tiles that do not divide each other, one after the other: each makes another merged coordinate,
/// and the time must not double with each.
#[test]
fn many_merged_coordinates() {
    // Each tile pads, so that 32-bit pointers do not count the places of many.
    let (many, few) = if usize::BITS == 64 { (40, 16) } else { (12, 4) };
    let tiles: String = (0..many).map(|k| format!("({})", 997 - 2 * k)).collect();
    let layout: DynLayout = format!("u8[1000]{{0:T{tiles}}}")
        .parse()
        .expect("it can be lowered");
    assert!(layout.terms().len() > many * 3 / 4);
    for i in [0, 1, 500, 999] {
        let place = layout.linear_index(&[i].into());
        assert_eq!(layout.multi_index(place), Some([i].into()));
    }
    let tiles: String = (0..few)
        .map(|k| format!("(*,{})(3,{})", 97 - k, 5 + k % 7))
        .collect();
    let layout: DynLayout = format!("u8[9,11]{{1,0:T{tiles}}}")
        .parse()
        .expect("it can be lowered");
    for index in [[0, 0], [3, 7], [8, 10]] {
        let place = layout.linear_index(&index.into());
        assert_eq!(layout.multi_index(place), Some(index.into()));
    }
}

/// Levels of tiles take linear time; what cannot is refused.
#[test]
fn many_levels_of_tiles() {
    let lowered = |tile: &str| {
        let text = format!("u8[6,6,6,6]{{3,2,1,0:T{}}}", tile.repeat(20_000));
        DynLayout::new(text.parse::<ArrayShape>().expect("XLA reads any tiles"))
    };
    for tile in ["(2)", "(3,6)", "(2,1)", "(1,6,6)"] {
        let layout = lowered(tile).expect("such tiles change nothing after the first");
        assert_eq!(layout.elements(), 1296);
        assert_eq!(layout.buffer_len(), 1296, "{tile}");
    }
    for tile in ["(*,6)(*,3)", "(*,*,7)", "(5,4,2)(4,*,2)"] {
        assert_eq!(
            lowered(tile).map(|_| ()),
            Err(LayoutError::Lower(NotLowered::TooManyTerms)),
            "{tile}"
        );
    }
    for tile in ["(4,1)(*,4,6)", "(3)(2)", "(7)(5)"] {
        assert_eq!(
            lowered(tile).map(|_| ()),
            Err(LayoutError::Lower(NotLowered::TooLarge)),
            "{tile}"
        );
    }
}
