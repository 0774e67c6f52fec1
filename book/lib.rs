//! The code of the book runs as documentation tests: `cargo test -p xlayout-book` in `apps`. What
//! the program prints in it, and its pictures, are compared by `apps/cli/tests/documents.rs`.

macro_rules! chapters {
    ($($name:ident $file:literal)*) => {
        $(#[cfg(doctest)] #[doc = include_str!($file)] mod $name {})*
    };
}

chapters! {
    layouts "src/layouts.md"
    orders "src/orders.md"
    tiles "src/tiles.md"
    padding "src/padding.md"
    types "src/types.md"
    arrays "src/arrays.md"
    copies "src/copies.md"
    notations "src/notations.md"
    algebra "src/algebra.md"
    kernels "src/kernels.md"
    modules "src/modules.md"
    errors "src/errors.md"
    xla_shapes "src/xla_shapes.md"
}
