//! The host boundary: strides and the notations of other libraries, against NumPy's own answers,
//! against MLIR's, and against arithmetic written anew.
#![cfg(feature = "std")]

mod hostile;
mod laws;
mod mistakes;
mod mlir;
mod numpy;
mod pasted;
mod strides;
mod types;

use xlayout::{ArrayLayout, ArrayShape, DynLayout};

/// Calls `visit` with every index of an array of these sizes.
fn each_index(sizes: &[i64], visit: &mut dyn FnMut(&[usize])) {
    if sizes.contains(&0) {
        return;
    }
    let mut index = vec![0; sizes.len()];
    loop {
        visit(&index);
        let Some(d) = (0..sizes.len()).rfind(|&d| index[d] + 1 < sizes[d] as usize) else {
            return;
        };
        index[d] += 1;
        index[d + 1..].fill(0);
    }
}

/// The linear index of every element, in logical sequence.
fn map(shape: &ArrayShape) -> Vec<usize> {
    let layout = DynLayout::new(shape.clone()).expect("the shape can be addressed");
    let sizes: Vec<i64> = layout.dims().iter().map(|&n| n as i64).collect();
    let mut map = Vec::new();
    each_index(&sizes, &mut |index| {
        map.push(layout.linear_index(&index.into()))
    });
    map
}

/// All sequences of `0..n`.
fn permutations(n: usize) -> Vec<Vec<i64>> {
    if n == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(n - 1);
    let insert = |list: &Vec<i64>, at: usize| {
        let mut list = list.clone();
        list.insert(at, n as i64 - 1);
        list
    };
    shorter
        .iter()
        .flat_map(|list| (0..n).map(move |at| insert(list, at)))
        .collect()
}

/// All lists of `n` of these items.
fn lists(items: &[i64], n: usize) -> Vec<Vec<i64>> {
    (0..n).fold(vec![vec![]], |lists, _| {
        let longer = |list: &Vec<i64>| {
            items
                .iter()
                .map(|&item| [&list[..], &[item]].concat())
                .collect::<Vec<_>>()
        };
        lists.iter().flat_map(longer).collect()
    })
}

fn shape_of(sizes: &[i64], minor_to_major: &[i64]) -> ArrayShape {
    let list = |items: &[i64]| {
        items
            .iter()
            .map(i64::to_string)
            .collect::<Vec<_>>()
            .join(",")
    };
    let text = format!("f32[{}]{{{}}}", list(sizes), list(minor_to_major));
    text.replace("{}", "").parse().expect("a valid shape")
}
