macro_rules! matrix {
    ($rows:expr, $columns:expr) => {
        xlayout::layout!(fp32[$rows,$columns]{0})
    };
}

type A = matrix!(2, 3);

fn main() {}
