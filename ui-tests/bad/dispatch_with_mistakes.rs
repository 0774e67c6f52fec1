use xlayout::{ArrayLayout, DynLayout, Element, dispatch, dtype};

fn bytes<T: Element>() -> usize {
    size_of::<T>()
}

fn main() {
    let layout: DynLayout = "f32[2]".parse().unwrap();
    let _ = dispatch!(layout, T => bytes::<T>());
    let _ = dispatch!(layout.element_type(), T: f32 | dtype::bf16 => bytes::<T>());
    let _: usize = dispatch!(layout.element_type(), T: f32 => bytes::<T>());
}
