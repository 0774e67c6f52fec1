use xlayout::layout;

fn main() {
    let _a: layout!(f32[2,3]{0,1}) = layout!(f32[2,3]);
}
