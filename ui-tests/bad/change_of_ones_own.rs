// A parameter of a trait may be a type of another crate, but only xlayout says what it makes of a layout.
#![forbid(unsafe_code)]

use xlayout::types::{Rearrange, SliceDimension};
use xlayout::{LayoutError, layout};

struct Mine;

layout! {
    type A = f32[2]{0};
    type Longer = f32[1024]{0};
}

impl Rearrange<Mine> for A {
    type Layout = Longer;
    const FITS: () = ();
    fn rearranged(&self) -> Longer {
        Longer::NEW
    }
}

impl SliceDimension<0, Mine> for A {
    type Layout = Longer;
    fn with_len(&self, _: usize) -> Result<Longer, LayoutError> {
        Ok(Longer::NEW)
    }
}

fn main() {}
