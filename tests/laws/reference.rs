//! A naive reference, written from "Tiled layout" in XLA's documentation and from nothing in this
//! crate: the physical dimensions are cut by one tile after the other, and an index with them.

use xlayout::{ArrayShape, TileDim};

/// One step of a tile: a run of dimensions becomes one, and that becomes a count and an inside.
struct Cut {
    /// The widths of the run, most major first; more than one behind a `*`.
    run: Vec<usize>,
    tile: usize,
}

/// A layout by the reference.
pub(crate) struct Reference {
    sizes: Vec<usize>,
    /// Dimension numbers, most major first.
    major_to_minor: Vec<usize>,
    /// The allocated width of each physical dimension before tiling.
    widths: Vec<usize>,
    /// For each tile: how many dimensions of one place it puts in front, how many it leaves
    /// alone, and its cuts.
    tiles: Vec<(usize, usize, Vec<Cut>)>,
    /// The physical dimensions in the end.
    dims: Vec<usize>,
    alignment: usize,
}

/// A number from its digits, the most major first.
fn number(digits: &[usize], widths: &[usize]) -> usize {
    digits
        .iter()
        .zip(widths)
        .fold(0, |number, (digit, width)| number * width + digit)
}

/// The digits of a number, the most major first.
fn digits(mut number: usize, widths: &[usize]) -> Vec<usize> {
    let mut digits: Vec<_> = widths
        .iter()
        .rev()
        .map(|width| {
            let digit = number % width;
            number /= width;
            digit
        })
        .collect();
    digits.reverse();
    digits
}

impl Reference {
    pub(crate) fn new(shape: &ArrayShape) -> Self {
        let layout = shape
            .layout
            .as_ref()
            .expect("the layouts of these tests are given");
        let sizes: Vec<usize> = shape
            .dims
            .iter()
            .map(|dim| dim.bound().expect("no dimension is `?`") as usize)
            .collect();
        let major_to_minor: Vec<usize> = layout
            .minor_to_major
            .iter()
            .rev()
            .map(|&d| d as usize)
            .collect();
        let padded = &layout.padded_dimensions;
        let width = |&d: &usize| {
            if padded.is_empty() {
                sizes[d]
            } else {
                padded[d] as usize
            }
        };
        let widths: Vec<usize> = major_to_minor.iter().map(width).collect();
        let mut dims = widths.clone();
        let mut tiles = Vec::new();
        for tile in layout.tiles.iter() {
            let missing = tile.len().saturating_sub(dims.len());
            dims.splice(0..0, std::iter::repeat_n(1, missing));
            let left = dims.len() - tile.len();
            let mut cuts = Vec::new();
            let mut run = Vec::new();
            for (&width, entry) in dims[left..].iter().zip(tile) {
                run.push(width);
                if let TileDim::Size(tile) = *entry {
                    cuts.push(Cut {
                        run: std::mem::take(&mut run),
                        tile: tile as usize,
                    });
                }
            }
            dims.truncate(left);
            dims.extend(
                cuts.iter()
                    .map(|cut| cut.run.iter().product::<usize>().div_ceil(cut.tile)),
            );
            dims.extend(cuts.iter().map(|cut| cut.tile));
            tiles.push((missing, left, cuts));
        }
        let alignment = layout.tail_padding_alignment_in_elements as usize;
        Self {
            sizes,
            major_to_minor,
            widths,
            tiles,
            dims,
            alignment,
        }
    }

    /// The elements that memory is allocated for.
    pub(crate) fn buffer_len(&self) -> usize {
        self.dims
            .iter()
            .product::<usize>()
            .next_multiple_of(self.alignment)
    }

    /// Where an element lies.
    pub(crate) fn place(&self, index: &[usize]) -> usize {
        let mut at: Vec<usize> = self.major_to_minor.iter().map(|&d| index[d]).collect();
        for (missing, left, cuts) in &self.tiles {
            at.splice(0..0, std::iter::repeat_n(0, *missing));
            let mut rest = at.split_off(*left).into_iter();
            let merged: Vec<usize> = cuts
                .iter()
                .map(|cut| {
                    number(
                        &rest.by_ref().take(cut.run.len()).collect::<Vec<_>>(),
                        &cut.run,
                    )
                })
                .collect();
            at.extend(merged.iter().zip(cuts).map(|(i, cut)| i / cut.tile));
            at.extend(merged.iter().zip(cuts).map(|(i, cut)| i % cut.tile));
        }
        number(&at, &self.dims)
    }

    /// What lies at a place; nothing in padding.
    pub(crate) fn element(&self, place: usize) -> Option<Vec<usize>> {
        if place >= self.dims.iter().product() {
            return None;
        }
        let mut at = digits(place, &self.dims);
        for (missing, left, cuts) in self.tiles.iter().rev() {
            let (count, inside) = at[*left..].split_at(cuts.len());
            let mut before = Vec::new();
            for (cut, (count, inside)) in cuts.iter().zip(count.iter().zip(inside)) {
                let merged = count * cut.tile + inside;
                if merged >= cut.run.iter().product() {
                    return None;
                }
                before.extend(digits(merged, &cut.run));
            }
            at.truncate(*left);
            at.extend(before);
            at.drain(..missing);
        }
        let mut index = vec![0; self.sizes.len()];
        for ((&d, i), width) in self.major_to_minor.iter().zip(at).zip(&self.widths) {
            debug_assert!(i < *width);
            index[d] = i;
        }
        index
            .iter()
            .zip(&self.sizes)
            .all(|(i, size)| i < size)
            .then_some(index)
    }
}

/// Every index of an array, the last dimension fastest.
pub(crate) fn indices(sizes: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count = sizes.iter().product();
    (0..count).map(move |number| digits(number, sizes))
}
