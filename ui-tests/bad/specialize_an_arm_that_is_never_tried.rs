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
        s8[1,3]{0,1} | u8[?_,?K] => 3,
        s8[1,3]{1,0} | u8[<=8,3] => 5,
        bf16[?,256]{1,0:T(8,128)} => 6,
        bf16[32,256]{1,0:T(8,128)M(8)} => 7,
        u4[?M,?M] => 8,
        u4[2,3] | u4[4,4] => 9,
        s32[<=8,3]{1,0:T(1)} => 10,
        s32[8,3]{1,0} => 11,
        _ => 0,
    })
}

fn main() {
    println!("{}", rows(&"f32[2,3]".parse().unwrap()));
}
