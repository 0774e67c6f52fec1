use xlayout::{ArrayLayout, layout};

fn transpose(from: layout!(float[2,3]{0,0})) -> layout!(f32[3,2]{0}) {
    let to = layout!(f32[3,-2]{2,1});
    assert_eq!(from.bytes(), to.bytes());
    to
}

fn main() {
    transpose(layout!(f32[2,3]{0,1}));
}
