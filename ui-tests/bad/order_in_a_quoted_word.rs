use xlayout::layout;

fn f(_: layout!(f32[2,3], "column_major"), _: layout!(f32[2,3,4], major_to_minor = [2,1])) {}

fn main() {}
