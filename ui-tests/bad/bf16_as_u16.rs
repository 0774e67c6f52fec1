use xlayout::{SliceView, layout};

fn main() {
    let bits = [0x3f80_u16; 6];
    let _ = SliceView::new(layout!(bf16[2,3]{1,0}), &bits[..]);
    let _ = SliceView::new(layout!(f8e5m2[2,3]{1,0}), &[0_u8; 6][..]);
    let _ = SliceView::new(layout!(s4[2,2]{1,0:E(4)}), &[0_i8; 4][..]);
}
