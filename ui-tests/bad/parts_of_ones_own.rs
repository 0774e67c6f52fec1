#![forbid(unsafe_code)]

use xlayout::types::{
    Attribute, AttributeValue, Attributes, Dimensions, Nat, Number, NumberList, OrderOf, StaticDimensions,
    TileEntries, TileEntry,
};
use xlayout::shape::{Dim, TileDim};

struct Mine;

impl Dimensions for Mine {
    type Coordinates = [usize; 1];
    type Values = ((),);
    const DIMS: &'static [Dim] = &[Dim::Static(2)];
    const SIZES: &'static [usize] = &[1 << 40];
    const NAMES: &'static [Option<&'static str>] = &[None];
    type Unnamed = (Nat<2>,);
    const SIZE_COORDINATES: [usize; 1] = [1 << 40];
    fn sizes(_: ((),)) -> [usize; 1] {
        [1 << 40]
    }
    fn values(_: &[usize; 1]) -> Result<((),), usize> {
        Ok(((),))
    }
    fn hold(_: &[usize; 1]) -> ((),) {
        ((),)
    }
}
impl StaticDimensions for Mine {}
impl OrderOf for Mine {
    const MINOR_TO_MAJOR: &'static [i64] = &[0];
    const SIZES: &'static [usize] = &[7];
}
impl Number for Mine {
    const N: i64 = 0;
}
impl NumberList for Mine {
    const LIST: &'static [i64] = &[0];
    const SIZES: &'static [usize] = &[7];
}
impl TileEntry for Mine {
    const ENTRY: TileDim = TileDim::Size(0);
}
impl TileEntries for Mine {
    const ENTRIES: &'static [TileDim] = &[TileDim::Size(0)];
}
impl Attribute for Mine {
    const VALUE: AttributeValue = AttributeValue::Padded(&[0]);
}
impl Attributes for Mine {
    const LIST: &'static [AttributeValue] = &[AttributeValue::Padded(&[0])];
}

fn main() {}
