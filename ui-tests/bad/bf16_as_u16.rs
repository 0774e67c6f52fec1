use xlayout::{View, layout};

fn main() {
    let bits = [0x3f80_u16; 6];
    let _ = View::new(&bits[..], layout!(bf16[2,3]{1,0}));
    let _ = View::new(&[0_u8; 6][..], layout!(f8e5m2[2,3]{1,0}));
    let _ = View::new(&[0_i8; 4][..], layout!(s4[2,2]{1,0:E(4)}));
}
