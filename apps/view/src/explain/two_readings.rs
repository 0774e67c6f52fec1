//! A name that two notations share: oneDNN's `nhwc` has its sizes in the sequence N, C, H, W, and
//! TVM's, TensorFlow's and Keras' `NHWC` in that of its letters.
//!
//! Images are nearly as high as wide. So if the sizes of a tag make the spatial dimensions more
//! unequal than in the sequence of its letters, they are probably in that sequence.

use xlayout::interop::{Given, Notation};

/// What to say about sizes that look like those of the other notation.
pub(super) fn note(notation: &Notation, text: &str, given: &Given<'_>) -> Option<String> {
    let sizes = given.sizes?;
    let letters = text.trim().to_ascii_uppercase();
    let axes = Given::axes_of(sizes.len())?;
    let is_name = letters != axes
        && letters.len() == axes.len()
        && axes.chars().all(|axis| letters.contains(axis));
    if notation.key != "onednn" || !is_name {
        return None;
    }
    let is_said = (given.axes).is_some_and(|given| given.eq_ignore_ascii_case(&letters));
    let is_likely = || inequality(axes, sizes) > inequality(&letters, sizes);
    if !is_said && !is_likely() {
        return None;
    }
    let size = |axes: &str| axes.find('C').map(|at| sizes[at]);
    let channels = size(axes)?;
    let meant = size(&letters)?;
    let sequence = listed(axes);
    Some(format!(
        "oneDNN counts the dimensions of a tag as {sequence}, so that C is {channels}. If you give \
         the sizes as {}, and C is {meant}, write `{letters} --axes {letters}`",
        listed(&letters),
    ))
}

fn listed(axes: &str) -> String {
    let letters: Vec<String> = axes.chars().map(String::from).collect();
    letters.join(", ")
}

/// How many times the largest spatial size has the smallest one; `None` for less than two.
fn inequality(axes: &str, sizes: &[i64]) -> Option<f64> {
    let spatial = axes
        .chars()
        .zip(sizes)
        .filter(|(axis, _)| "DHW".contains(*axis));
    let spatial: Vec<f64> = spatial.map(|(_, &size)| size as f64).collect();
    let largest = spatial.iter().copied().reduce(f64::max)?;
    let smallest = spatial.iter().copied().reduce(f64::min)?;
    (spatial.len() > 1 && smallest > 0.0).then(|| largest / smallest)
}
