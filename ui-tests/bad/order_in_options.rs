use xlayout::layout;

type RowMajor = layout!(f32[2,3], row_major);
type ColumnMajor = layout!(f32[2,3,4], column_major);
type C = layout!(f32[2,3], C);
type Order = layout!(f32[2,3], order = "F");
type Layout = layout!(f32[2,3], layout = {1,0});
type MinorToMajor = layout!(f32[2,3], minor_to_major = [0,1]);
type MajorToMinor = layout!(f32[2,3,4], major_to_minor = [0,2,1]);

fn main() {}
