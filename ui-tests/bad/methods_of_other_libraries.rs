use xlayout::{Array, View, layout};

layout! { type A = f32[2,3]{0,1}; }

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut a = Array::from_fn(A, |&[i, j]| (3 * i + j) as f32)?;
    let mean: f32 = a.mean();
    let product = a.matmul(&a.t());
    for x in a.diagonal() {
        println!("{x}");
    }
    let product = a.dot(&a.t());
    let sums = a.zip_map(&a, |x, y| x + y);
    let sum = a.fold(0.0, |sum, x| sum + x);
    let (rows, height) = (a.nrows(), a.extent(0));
    let all = a.view();
    let found = a.contains(&1.0);
    let (first, last) = (a.first(), a.last());
    let elements: Vec<f32> = a.to_vec();
    let vector = a.flatten();
    let row = a.slice::<0>(0..1)?.squeeze();
    let turned = a.flip(0);
    let element = unsafe { a.get_unchecked([0, 1]) };
    for row in a.outer_iter() {
        println!("{}", row[[0]]);
    }
    for row in a.axis_iter(0) {
        println!("{}", row[0]);
    }
    let parts = a.par_iter();
    for row in a.row_iter() {
        println!("{}", row[0]);
    }
    for [i, j] in a.indices() {
        println!("{}", a[[i, j]]);
    }
    for i in a.axis::<0>().iter() {
        println!("{}", a[(i, 0)]);
    }
    a.map_inplace(|x| *x *= 2.0);
    a.sort_by(|x, y| x.total_cmp(y));
    a.copy_from_slice(&[1.0; 6]);
    a.resize([4, 3]);
    let view = View::new(&[[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]], A)?;
    Ok(())
}
