use xlayout::{DynLayout, layout, specialize};

layout! { type Tiled = bf16[16,256]{1,0:T(8,128)}; }

const N: usize = 4;

fn rows(layout: &DynLayout) -> usize {
    specialize!(layout, {
        Tiled | f32[N,3] => 1,
        f32[?,3]{1,0} => 2,
        f32[4,3] => 4,
        Tiled => 16,
        f32[N,3] | f32[?N,3] => N,
        _ => 0,
    })
}

fn main() {
    println!("{}", rows(&"f32[2,3]".parse().unwrap()));
}
