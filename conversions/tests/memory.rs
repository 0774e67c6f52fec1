//! Crates that use the memory of an array, for which no conversion is needed.

use rayon::prelude::*;
use xlayout::{Array, SliceView, layout};

type Columns = layout!(f32[2,3]{0,1});

#[test]
fn bytemuck_casts_the_memory() {
    let array = Array::from_nested(Columns::NEW, [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]).unwrap();
    let bytes: &[u8] = bytemuck::cast_slice(array.memory());
    assert_eq!(
        SliceView::<f32, _>::from_bytes(Columns::NEW, bytes).unwrap(),
        array
    );
    let words: Vec<u32> = array.memory().iter().map(|x| x.to_bits()).collect();
    assert_eq!(
        SliceView::new(Columns::NEW, bytemuck::cast_slice(&words)).unwrap(),
        array
    );
}

#[test]
fn rayon_writes_chunks() {
    let mut array = Array::zeros(layout!(f32[64,96]{1,0:T(8,32)})).unwrap();
    array
        .chunks_mut::<0>(8)
        .enumerate()
        .par_bridge()
        .for_each(|(n, mut chunk)| {
            chunk.for_each_in_memory_mut(|&[i, j], x| *x = (1000 * (8 * n + i) + j) as f32);
        });
    assert!(
        array
            .indexed_iter()
            .all(|([i, j], &x)| x == (1000 * i + j) as f32)
    );
}
