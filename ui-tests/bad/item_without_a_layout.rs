xlayout::layout! {
    type A;
}

fn main() {}
