use xlayout::{DynLayout, dispatch};

fn main() {
    let layout: DynLayout = "f32[2]".parse().unwrap();
    let _ = dispatch!(layout.element_type(), f32 => 4, _ => 0);
    let _ = dispatch!(layout.element_type(), { f32 => 4, _ => 0 });
}
