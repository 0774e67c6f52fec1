use xlayout::layout;

xlayout::layout! {
    type Tiled = bf16[16,256]{1,0:T(8,128)(2,1)};
}

fn kernel(_: Tiled) {}

fn main() {
    kernel(layout!(bf16[16,256]{1,0:T(8,128)}));
}
