//! Parts of views: tiles, chunks on threads, steps, and one function for all layouts of a rank.

use xlayout::types::nat;
use xlayout::{Array, ArrayRef, DynLayout, LayoutError, Rank, SliceView, layout};

type Tiled = layout!(f32[20,300]{1,0:T(8,128)});

fn sum(x: &ArrayRef<f32, impl Rank<2>>) -> f32 {
    x.axis::<0>()
        .map(|i| x.axis::<1>().map(|j| x[(i, j)]).sum::<f32>())
        .sum()
}

fn double(x: &mut ArrayRef<f32, impl Rank<2>>) {
    for i in x.axis::<0>() {
        x.axis::<1>().for_each(|j| x[(i, j)] *= 2.0);
    }
}

fn total(x: &ArrayRef<f32, impl Rank<2>>) -> f32 {
    x.iter().sum()
}

fn first(x: SliceView<'_, f32, Tiled>) -> f32 {
    x[[0, 0]]
}

#[test]
fn works() -> Result<(), LayoutError> {
    let mut array: Array<f32, Tiled> = Array::zeros(Tiled::NEW)?;
    array.fill(1.0);
    std::thread::scope(|scope| {
        for mut chunk in array.chunks_mut::<0>(8) {
            scope.spawn(move || double(&mut chunk));
        }
        Ok::<(), LayoutError>(())
    })?;
    let mut found = 0.0;
    for (_, tile) in array.tiles(nat![8, 128]) {
        found += sum(&tile);
    }
    assert_eq!(found, 12000.0);
    assert_eq!(
        (
            total(&array),
            total(&array.as_view()),
            first(array.as_slice_view())
        ),
        (12000.0, 12000.0, 2.0)
    );
    let read: DynLayout = "f32[4,6]{0,1}".parse()?;
    let ranked = Array::from_fn(read, |at| at[0] as f32)?.ranked::<2>()?;
    assert_eq!(
        sum(&ranked.with_step::<0>(1.., 2)?.split_at::<1>(5)?.0),
        20.0
    );
    Ok(())
}
