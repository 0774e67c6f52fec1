//! The same sums with the arrays of other crates.

use super::*;

pub(super) fn others(all: &mut Vec<Case>) {
    let sum2 = all
        .iter_mut()
        .find(|case| case.name == "sum dense2")
        .unwrap();
    let nested: Vec<[u32; 384]> = vec![[1; 384]; 104];
    let nested: Box<[[u32; 384]; 104]> = nested.into_boxed_slice().try_into().unwrap();
    let mut ways = Case::new("").way("nested arrays", 104 * 384, move || {
        let array = black_box(&nested);
        let mut sum = 0_u32;
        loops!([104, 384], |i, j| sum = sum.wrapping_add(array[i][j]));
        sum
    });
    let array = ndarray::Array2::<u32>::from_elem((104, 384), 1);
    let again = array.clone();
    ways = ways
        .way("ndarray [[i, j]]", array.len(), move || {
            let array = black_box(&array);
            let mut sum = 0_u32;
            loops!([104, 384], |i, j| sum = sum.wrapping_add(array[[i, j]]));
            sum
        })
        .way("ndarray uget", again.len(), move || {
            let array = black_box(&again);
            let mut sum = 0_u32;
            loops!([104, 384], |i, j| {
                // SAFETY: all coordinates are in bounds.
                let element = unsafe { *array.uget([i, j]) };
                sum = sum.wrapping_add(element);
            });
            sum
        });
    type Shape2 = (mdarray::Const<104>, mdarray::Const<384>);
    let array = Box::new(mdarray::Array::<u32, Shape2>::from_elem(
        Shape2::default(),
        1,
    ));
    ways = ways.way("mdarray const", 104 * 384, move || {
        let array = black_box(&array);
        let mut sum = 0_u32;
        loops!([104, 384], |i, j| sum = sum.wrapping_add(array[[i, j]]));
        sum
    });
    sum2.ways.extend(ways.ways);

    let sum4 = all
        .iter_mut()
        .find(|case| case.name == "sum dense4")
        .unwrap();
    let nested = Box::new([[[[1_u32; 18]; 14]; 10]; 6]);
    let array = ndarray::Array4::<u32>::from_elem((6, 10, 14, 18), 1);
    type Shape4 = (
        mdarray::Const<6>,
        mdarray::Const<10>,
        mdarray::Const<14>,
        mdarray::Const<18>,
    );
    let constant = Box::new(mdarray::Array::<u32, Shape4>::from_elem(
        Shape4::default(),
        1,
    ));
    let ways = Case::new("")
        .way("nested arrays", 15120, move || {
            let array = black_box(&nested);
            let mut sum = 0_u32;
            loops!([6, 10, 14, 18], |i, j, k, l| sum =
                sum.wrapping_add(array[i][j][k][l]));
            sum
        })
        .way("ndarray [[i, j]]", 15120, move || {
            let array = black_box(&array);
            let mut sum = 0_u32;
            loops!([6, 10, 14, 18], |i, j, k, l| sum =
                sum.wrapping_add(array[[i, j, k, l]]));
            sum
        })
        .way("mdarray const", 15120, move || {
            let array = black_box(&constant);
            let mut sum = 0_u32;
            loops!([6, 10, 14, 18], |i, j, k, l| sum =
                sum.wrapping_add(array[[i, j, k, l]]));
            sum
        });
    sum4.ways.extend(ways.ways);
}
