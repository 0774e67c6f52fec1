use xlayout::{SliceView, index, layout};

type Rows = layout!(f32[2,3]{1,0});
type Columns = layout!(f32[2,3]{0,1});

fn main() {
    let data = [0.0_f32; 6];
    let columns = SliceView::new(Columns::NEW, &data[..]).unwrap();
    let offset = index!(Rows[1, 2]).linear();
    let _ = columns[offset];
}
