xlayout::layout! {
    let a = f32[2,3];
}

fn main() {}
