use xlayout::types::nat;
use xlayout::{Array, StridedLayout};

/// As in std, whose source only some machines have.
fn swap<T>(_: &mut T, _: &mut T) {}

/// Blocks of arrays whose strides differ have one type.
fn main() -> Result<(), xlayout::LayoutError> {
    let narrow = StridedLayout::of(&StridedLayout::<_, isize>::row_major::<i32>([2, 3])?)?;
    let wide = StridedLayout::of(&StridedLayout::<_, isize>::row_major::<i32>([2, 4])?)?;
    let mut first = Array::<i32, StridedLayout<[usize; 2]>>::zeros(narrow)?;
    let mut second = Array::<i32, StridedLayout<[usize; 2]>>::zeros(wide)?;
    let tiles = first.try_tiles_mut(nat![2, 2])?;
    let others = second.try_tiles_mut(nat![2, 2])?;
    for ((_, mut tile), (_, mut other)) in tiles.zip(others) {
        swap(&mut *tile, &mut *other);
    }
    Ok(())
}
