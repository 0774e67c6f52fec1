use xlayout::{SliceView, index, layout};

type Small = layout!(f32[2,3]);
type Large = layout!(f32[20,30]);

fn main() {
    let data = [0.0_f32; 6];
    let small = SliceView::new(Small::NEW, &data[..]).unwrap();
    let _ = small[index!(Large[19, 29])];
}
