//! Three layouts of the module, a kernel that is generic over layouts, and the same kernel written
//! by hand.

use xlayout::types::nat;
use xlayout::{ArrayRef, ConstTiles, Rank, layout};

layout! {
    /// The left operand: row-major in tiles of 8 × 128, four rows side by side.
    pub(crate) type Left = s8[333,1024]{1,0:T(8,128)(4,1)};
    /// The right operand: column-major, tiled likewise.
    pub(crate) type Right = s8[1024,517]{0,1:T(8,128)(4,1)};
    /// The product: column-major, in tiles of 8 × 128.
    pub(crate) type Product = s32[333,517]{0,1:T(8,128)};

    // The same arrays without tiles.
    pub(crate) type DenseLeft = s8[333,1024]{1,0};
    pub(crate) type DenseRight = s8[1024,517]{0,1};
    pub(crate) type DenseProduct = s32[333,517]{0,1};
}

/// The sizes of the product: rows, columns, and the dimension that is summed over.
pub(crate) const ROWS: usize = Left::SIZES[0];
pub(crate) const COLUMNS: usize = Right::SIZES[1];
pub(crate) const INNER: usize = Left::SIZES[1];

/// c += a * b, block by block, for all layouts in such blocks. The blocks begin where the tiles of
/// the module do, or inside of a tile at a multiple of their sizes.
pub(crate) fn matmul<A, B, C>(a: &ArrayRef<i8, A>, b: &ArrayRef<i8, B>, c: &mut ArrayRef<i32, C>)
where
    A: Rank<2> + ConstTiles<nat![8, 128]>,
    B: Rank<2> + ConstTiles<nat![128, 4]>,
    C: Rank<2> + ConstTiles<nat![8, 4]>,
{
    let (a, b) = (a.tiles(nat![8, 128]), b.tiles(nat![128, 4]));
    for ([i, j], mut c) in c.tiles_mut(nat![8, 4]) {
        for k in 0.. {
            let (Some(a), Some(b)) = (a.get([i, k]), b.get([k, j])) else {
                break;
            };
            match (a.whole(), b.whole(), c.whole_mut()) {
                // The compiler knows the sizes.
                (Some(a), Some(b), Some(mut c)) => multiply(&a, &b, &mut c),
                // A block at the edge.
                _ => multiply(&a, &b, &mut c),
            }
        }
    }
}

/// c += a * b for blocks, or parts of blocks at the edge. No index is checked where the type has
/// the sizes.
fn multiply(
    a: &ArrayRef<i8, impl Rank<2>>,
    b: &ArrayRef<i8, impl Rank<2>>,
    c: &mut ArrayRef<i32, impl Rank<2>>,
) {
    let mut sums = [[0; 4]; 8];
    for k in a.axis::<1>() {
        for i in a.axis::<0>() {
            for j in b.axis::<1>() {
                sums[i][j] += i32::from(a[(i, k)]) * i32::from(b[(k, j)]);
            }
        }
    }
    for i in c.axis::<0>() {
        for j in c.axis::<1>() {
            c[(i, j)] += sums[i][j];
        }
    }
}

/// The same for `Left`, `Right` and `Product` as one writes it without a library: the layouts are
/// shifts and masks all over the code. Slices are cut once for each tile, so that nothing in the
/// innermost loop is checked.
#[inline(never)]
pub(crate) fn matmul_by_hand(a: &[i8], b: &[i8], c: &mut [i32]) {
    for j in 0..COLUMNS {
        for i in 0..ROWS {
            let row = i >> 3 << 13 | (i >> 2 & 1) << 9 | i & 3;
            let column = j >> 3 << 13 | (j >> 2 & 1) << 9 | j & 3;
            let mut sum = 0;
            for tile in 0..INNER >> 7 {
                let a = &a[row | tile << 10..][..509];
                let b = &b[column | tile << 10..][..509];
                for k in 0..128 {
                    sum += i32::from(a[k << 2]) * i32::from(b[k << 2]);
                }
            }
            c[(j >> 3) * 3072 + (i >> 7 << 10 | (j & 7) << 7 | i & 127)] = sum;
        }
    }
}

/// The same for the dense layouts by hand.
#[inline(never)]
pub(crate) fn dense_by_hand(a: &[i8], b: &[i8], c: &mut [i32]) {
    for j in 0..COLUMNS {
        for i in 0..ROWS {
            let a = &a[i * INNER..][..INNER];
            let b = &b[j * INNER..][..INNER];
            c[j * ROWS + i] = a
                .iter()
                .zip(b)
                .map(|(&a, &b)| i32::from(a) * i32::from(b))
                .sum();
        }
    }
}

/// The product from its definition, over nested arrays in logical sequence: no layout, no index
/// arithmetic. What the others are checked against.
pub(crate) fn naive(a: &[Vec<i8>], b: &[Vec<i8>]) -> Vec<Vec<i32>> {
    let mut product = vec![vec![0; COLUMNS]; ROWS];
    for i in 0..ROWS {
        for k in 0..INNER {
            for j in 0..COLUMNS {
                product[i][j] += i32::from(a[i][k]) * i32::from(b[k][j]);
            }
        }
    }
    product
}
