use xlayout::{DynLayout, layout};

type A = layout!(f32[2,3]);

fn known(layout: DynLayout) -> A {
    layout.into()
}

fn main() {}
