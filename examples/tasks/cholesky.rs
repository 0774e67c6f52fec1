//! The Cholesky factor of a matrix, block by block: parts of one array are read and written at the
//! same time.

use xlayout::prelude::*;

/// The rows and columns of a block.
const BLOCK: usize = 8;

/// a = l, where l * l^T was a, and l is lower triangular. What is above the diagonal is not
/// touched.
///
/// ```text
/// for each block on the diagonal, from the first one on:
///     factor the block
///     solve the blocks below it
///     subtract their products from the blocks to the right of and below them
/// ```
///
/// # Errors
/// When the layout has tiles that a block divides.
fn cholesky<L: Rank<2>>(a: &mut ArrayRef<f64, L>) -> Result<(), LayoutError> {
    let [n, _] = a.shape();
    for start in (0..n).step_by(BLOCK) {
        let len = BLOCK.min(n - start);
        let left = n - start - len;
        let mut rest = a.region_mut([start, start], [n - start, n - start])?;
        let (mut top, mut bottom) = rest.split_at_mut::<0>(len)?;
        let mut diagonal = top.region_mut([0, 0], [len, len])?;
        factor(&mut diagonal);
        let (mut panel, mut trailing) = bottom.split_at_mut::<1>(len)?;
        assert_eq!(panel.shape(), [left, len]);
        solve(&diagonal, &mut panel);
        subtract(&panel, &mut trailing);
    }
    Ok(())
}

fn factor(a: &mut ArrayRef<f64, impl Rank<2>>) {
    let [n, _] = a.shape();
    for j in 0..n {
        for k in 0..j {
            for i in j..n {
                a[[i, j]] -= a[[i, k]] * a[[j, k]];
            }
        }
        let root = a[[j, j]].sqrt();
        for i in j..n {
            a[[i, j]] /= root;
        }
    }
}

/// b = b * (l^T)^-1
fn solve(l: &ArrayRef<f64, impl Rank<2>>, b: &mut ArrayRef<f64, impl Rank<2>>) {
    for i in b.axis::<0>() {
        for j in 0..l.shape()[0] {
            for k in 0..j {
                b[(i, j)] -= b[(i, k)] * l[[j, k]];
            }
            b[(i, j)] /= l[[j, j]];
        }
    }
}

/// c -= b * b^T, on and below the diagonal.
fn subtract(b: &ArrayRef<f64, impl Rank<2>>, c: &mut ArrayRef<f64, impl Rank<2>>) {
    for i in c.axis::<0>() {
        for j in c.axis::<1>().take(i.get() + 1) {
            let product: f64 = b.axis::<1>().map(|k| b[(i, k)] * b[(j.get(), k)]).sum();
            c[(i, j)] -= product;
        }
    }
}

pub(crate) fn run() -> Result<(), LayoutError> {
    let layout: DynLayout = "f64[20,20]{0,1}".parse()?;
    let matrix = |i: usize, j: usize| {
        if i == j {
            30.0
        } else {
            1.0 / (1 + i + j) as f64
        }
    };
    let a = Array::from_fn(layout, |at| matrix(at[0], at[1]))?;
    let mut l = a.ranked::<2>()?;
    cholesky(&mut l)?;
    let mut worst = 0.0_f64;
    for i in 0..20 {
        for j in 0..=i {
            let product: f64 = (0..=j).map(|k| l[[i, k]] * l[[j, k]]).sum();
            worst = worst.max((product - matrix(i, j)).abs());
        }
    }
    assert!(worst < 1e-12, "{worst}");
    println!("l * l^T differs from a by at most {worst:.1e}");
    Ok(())
}
