use xlayout::layout;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Weights {
    layout: layout!(bf16[8,128]{1,0:T(8,128,2)(2,0)}),
}

fn main() {
    let weights = Weights { layout: layout!(bf16[8,128]) };
    println!("{weights:?}");
}
