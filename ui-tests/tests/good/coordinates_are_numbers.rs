//! Coordinates of axes where other code expects numbers.

use xlayout::{Array, Rank, SliceView, layout};

/// The distance from the diagonal, the largest in each row, and running sums.
fn numbers(a: SliceView<f32, impl Rank<2>>, scale: &[f32], sums: &mut Vec<f32>) -> usize {
    let mut last = 0;
    for i in a.axis::<0>() {
        if i == 0 || i >= 7 {
            sums[i] = a[(i, 0)];
            continue;
        }
        for j in a.axis::<1>() {
            let before = a[[i - 1, j.get()]] + a[(usize::from(i) - 1, j)];
            sums[i] += scale[j] * a[(i, j)] + before;
            last = i + j + 2 * i - j % 2;
            if i < j || j == i {
                break;
            }
        }
    }
    last
}

fn line(a: SliceView<f32, impl Rank<1>>) -> f32 {
    let (axis, first) = (a.axis::<0>(), a[0]);
    assert_eq!(axis.size(), a.axis::<0>().len());
    axis.clone()
        .map(|i| a[i] - axis.offset(i, -1).map_or(first, |before| a[before]))
        .sum()
}

#[test]
fn works() {
    let a = Array::from_fn(layout!(f32[2,3]{0,1}), |&[i, j]| (3 * i + j) as f32).unwrap();
    let mut sums = vec![0.0; 2];
    assert_eq!(numbers(a.as_slice_view(), &[1.0, 2.0, 3.0], &mut sums), 3);
    assert_eq!(sums, [0.0, 3.0 + 0.0 + 0.0 + 8.0 + 1.0 + 1.0]);
    let b = Array::from_fn(layout!(f32[4]), |&[i]| (i * i) as f32).unwrap();
    assert_eq!(line(b.as_slice_view()), 9.0);
    assert_eq!(b[3], 9.0);
    assert_eq!(
        format!(
            "{} {:?}",
            a.axis::<1>().coordinate(2).unwrap(),
            a.axis::<1>().coordinate(2)
        ),
        "2 Ok(2)"
    );
}
