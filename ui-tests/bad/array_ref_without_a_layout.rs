use xlayout::ArrayRef;

fn first(a: &ArrayRef<f32>) -> f32 {
    a[[0, 0]]
}

fn main() {}
