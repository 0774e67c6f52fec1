use xlayout::{DynLayout, SliceView, specialize};

fn first(x: SliceView<'_, f32, DynLayout>) -> f32 {
    specialize!(x, {
        f32[?,3]{1,0} => x[[0, 0]],
        s32[?,3]{1,0} => x[[0, 0]],
        _ => x[[0, 0]],
    })
}

fn main() {
    let layout: DynLayout = "f32[2,3]".parse().unwrap();
    println!("{}", first(SliceView::new(layout, &[0.0; 6][..]).unwrap()));
}
