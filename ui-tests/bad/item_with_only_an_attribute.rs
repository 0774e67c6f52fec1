xlayout::layout! {
    #[allow(dead_code)]
}

fn main() {}
