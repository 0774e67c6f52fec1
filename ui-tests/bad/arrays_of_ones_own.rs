// The traits of layouts, elements and arrays are for types of xlayout and Rust only.
#![forbid(unsafe_code)]

use xlayout::storage::Storage;
use xlayout::{dtype::DType, ArrayLayout, Coordinates, DynLayout, Element, LayoutError, NestedArray, ElementType, Specialize, ViewIndex};

#[derive(Clone, Copy, PartialEq)]
struct Mine;

impl Specialize<xlayout::layout!(f32[2])> for Mine {
    type Output = Mine;
    fn specialize(self) -> Result<Mine, Mine> {
        Ok(Mine)
    }
}

impl NestedArray<Mine, 1> for Vec<f32> {
    fn check(&self, _: [usize; 1]) -> Result<(), LayoutError> {
        Ok(())
    }
    fn element(&self, _: [usize; 1]) -> &Mine {
        &Mine
    }
    fn from_elements(
        _: ElementType,
        _: [usize; 1],
        _: impl FnMut([usize; 1]) -> Mine,
    ) -> Result<Self, LayoutError> {
        Ok(Vec::new())
    }
}

// These say that items are missing, too.
impl ArrayLayout for Mine {}
impl Coordinates for Mine {}
impl DType for Mine {}
impl Element for Mine {}
impl Storage for Mine {}
impl ViewIndex<DynLayout> for Mine {}

fn main() {}
