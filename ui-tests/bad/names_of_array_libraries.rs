use xlayout::types::nat;
use xlayout::{Array, ArrayRef, DynLayout, layout};

layout! {
    type A = f32[2,3]{0,1};
    type Tiled = f32[4,4]{1,0:T(2,2)};
}

fn as_a_vector(a: &ArrayRef<f32, A>) {
    let vector = a.reshape(layout!(f32[6]));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let of_one = Array::ones(A)?;
    let of_pair = Array::from_elem(A, 1.0)?;
    let of_vec = Array::from_vec(vec![1.0; 6], A)?;
    let of_shape = Array::from_shape_vec(A, vec![1.0; 6])?;
    let mut a = Array::from_shape_fn(A, |[i, j]| (3 * i + j) as f32)?;
    let b = of_one.copy();
    let greater = a.any(|x| *x > 2.0) && a.all(|x| *x > 0.0);
    let smallest = a.argmin();
    let values = a.as_slice_memory_order();
    let element = a.at([0, 1]);
    let repeated = a.broadcast_to([4, 2, 3])?;
    for column in a.columns_mut() {
        println!("{}", column[0]);
    }
    let sums = a.cumsum();
    let of_diagonal = a.diag();
    let powers = a.exp();
    for (at, x) in a.indexed_iter_mut() {
        *x = at[0] as f32;
    }
    let doubled = a.mapv(|x| 2.0 * x);
    let means = a.mean_axis(0);
    let length: f32 = a.norm();
    for row in a.outer_iter_mut() {
        println!("{}", row[0]);
    }
    a.push(1.0);
    let chosen = a.select(0, &[1, 0]);
    a.sort();
    a.swap_rows(0, 1);
    a.zip_mut_with(&of_pair, |x, y| *x += y);
    for row in a.rows().iter() {}
    for chunk in a.chunks::<0>(1).iter() {}
    for tile in Array::full(Tiled, 1.0)?.tiles(nat![2, 2]).iter() {}
    for x in Array::packed_zeros(layout!(s4[4]{0:E(4)}))?.iter_mut() {
        *x = 1;
    }
    let sizes = (A.extents(), A.stride(0), A.required_span_size(), A.is_row_major());
    let layout: DynLayout = "f32[2,3]".parse()?;
    let sizes_of_run_time = (layout.extents(), layout.stride(0), layout.len(), layout.is_row_major());
    Ok(())
}
