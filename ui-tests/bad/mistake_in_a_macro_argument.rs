macro_rules! matrix {
    ($rows:expr, $columns:expr) => {
        xlayout::layout!(f32[$rows,$columns]{0,1})
    };
}

type A = matrix!(2, -3);

fn main() {}
