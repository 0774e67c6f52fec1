use xlayout::{LinearIndex, layout};

// Only a value of this type knows which numbers are of elements.
type Rows = layout!(f32[?,3]);

fn main() {
    let _ = LinearIndex::<Rows>::new(5);
}
