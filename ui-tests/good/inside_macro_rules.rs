//! What `macro_rules!` captures is seen through, and an expression that it captured is one size.
use xlayout::layout;

macro_rules! matrix {
    ($type:ident, $rows:expr, $columns:literal) => {
        layout!($type[$rows, $columns]{0,1})
    };
}

macro_rules! nested {
    ($rows:expr) => {
        matrix!(f32, $rows, 3)
    };
}

macro_rules! by_type {
    ($type:ty, $size:ty, $name:path, $block:block) => {
        layout!($type[type $size, $name, $block])
    };
}

macro_rules! tokens {
    ($($token:tt)*) => {
        layout!($($token)*)
    };
}

macro_rules! declare {
    ($(#[$meta:meta])* $visibility:vis $name:ident = $rows:expr) => {
        layout! { $(#[$meta])* $visibility type $name = f32[$rows, 3]; }
    };
}

mod sizes {
    pub const ROWS: usize = 2;

    #[macro_export]
    macro_rules! with_crate {
        () => {
            xlayout::layout!(f32[$crate::sizes::ROWS, 3]{0,1})
        };
    }
}

declare!(/** Documented. */ pub Declared = 1 + 1);

fn main() {
    let a: matrix!(f32, 2, 3) = nested!(1 + 1);
    let _: nested!(sizes::ROWS) = a;
    let _: with_crate!() = a;
    let _: tokens!(f32[2,3]<0,1>) = a;
    let by_type: by_type!(f32, typenum::U2, sizes::ROWS, { 4 }) = Default::default();
    assert_eq!(by_type.bytes(), 64);
    let _: layout!(f32[2,3]) = Declared;
}
