// The types that take the compiler the most steps: merged coordinates in tiles that do not divide each other, and
// the largest rank. rustc's lint `long_running_const_eval` refuses two million steps.
#![forbid(long_running_const_eval)]

use xlayout::ConstLayout;
use xlayout::types::{MinorToMajor, Nat, Star, StaticLayout, Tile};

#[rustfmt::skip]
mod types {
    use super::*;
    pub type ManyTerms = StaticLayout<f32, (Nat<97>,), MinorToMajor<(Nat<0>,)>, (Tile<(Nat<2>, Nat<3>, Nat<5>, Nat<7>, Nat<3>, Nat<2>, Nat<5>, Nat<7>)>, Tile<(Star, Nat<4>)>, Tile<(Star, Nat<3>)>, Tile<(Star, Nat<5>)>, Tile<(Star, Nat<7>)>, Tile<(Star, Nat<2>)>, Tile<(Star, Nat<9>)>, Tile<(Nat<3>, Nat<3>)>, Tile<(Star, Nat<4>)>,)>;
    pub type ManyStars = StaticLayout<f32, (Nat<12>, Nat<13>, Nat<15>, Nat<17>), MinorToMajor<(Nat<3>, Nat<2>, Nat<1>, Nat<0>)>, (Tile<(Star, Star, Star, Nat<1000>)>, Tile<(Nat<7>, Nat<3>)>, Tile<(Star, Nat<5>)>, Tile<(Nat<3>, Nat<2>)>, Tile<(Star, Nat<7>)>, Tile<(Nat<5>, Nat<2>)>, Tile<(Star, Nat<11>)>, Tile<(Nat<2>,)>, Tile<(Nat<3>,)>,)>;
    pub type ManyDimensions = StaticLayout<f32, (Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>), MinorToMajor<(Nat<15>, Nat<14>, Nat<13>, Nat<12>, Nat<11>, Nat<10>, Nat<9>, Nat<8>, Nat<7>, Nat<6>, Nat<5>, Nat<4>, Nat<3>, Nat<2>, Nat<1>, Nat<0>)>, (Tile<(Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>, Nat<3>)>,)>;
}

const fn len<L: ConstLayout>() -> usize {
    L::BUFFER_LEN
}

#[test]
fn works() {
    const { assert!(len::<types::ManyTerms>() >= 97) }
    const { assert!(len::<types::ManyStars>() >= 12 * 13 * 15 * 17) }
    const { assert!(len::<types::ManyDimensions>() == 3_usize.pow(16)) }
}
