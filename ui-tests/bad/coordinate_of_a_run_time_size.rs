use xlayout::{ArrayRef, Coordinate, layout};

type Rows = layout!(f32[?,3]);

fn neighbours(a: &ArrayRef<f32, Rows>) {
    let first = Coordinate::<Rows, 0>::new(0);
    for i in a.axis::<0>() {
        let _ = (i.checked_offset(1), &first);
    }
}

fn main() {}
