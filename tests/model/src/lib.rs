//! An independent model of XLA's layouts: slow, obvious, and without modes.
//!
//! It is written from "Tiled layout" in XLA's documentation. It reads the attributes of an
//! [`ArrayShape`], and uses no arithmetic of xlayout:
//!
//! ```text
//! d = the widths of the dimensions, padding included, most major first
//! i = the index in the same sequence
//! for each tile, the first one first:
//!     put dimensions of width 1 in front until d is as long as the tile
//!     for each entry of the tile, beside the last dimensions of d:
//!         `*`: merge the dimension with the next one: d becomes d * next, i becomes i * next + next i
//!         t:   replace the dimension by ceil(d / t) and i / t, and put t and i % t behind all dimensions
//! the place of the element = i as one number, where digit k is below d[k]
//! the places = the product of d, rounded up to the tail alignment
//! ```

mod operations;

use xlayout_shape::{ArrayShape, TileDim};

pub use operations::{Lends, Operation};

/// One entry of a tile, with the dimensions that it takes.
struct Cut {
    /// The widths of the dimensions, most major first; more than one behind a `*`.
    merged: Vec<usize>,
    tile: usize,
}

/// One tile, applied to the dimensions that the tile before it gives.
struct Applied {
    /// How many dimensions of width 1 it puts in front.
    added: usize,
    /// How many dimensions it leaves alone.
    kept: usize,
    cuts: Vec<Cut>,
}

/// A layout as XLA's documentation defines it.
pub struct Model {
    /// The size of each dimension, dimension 0 first; of a dynamic one its bound.
    pub sizes: Vec<usize>,
    /// The number of elements that memory is allocated for.
    pub places: usize,
    /// The bits of an element in memory.
    pub bits: usize,
    /// Dimension numbers, most major first.
    major_to_minor: Vec<usize>,
    /// The width of each dimension with padding, most major first.
    widths: Vec<usize>,
    tiles: Vec<Applied>,
    /// The widths after all tiles.
    dims: Vec<usize>,
}

/// A number from its digits, the most major first.
fn number(digits: &[usize], widths: &[usize]) -> usize {
    let digits = digits.iter().zip(widths);
    digits.fold(0, |number, (digit, width)| number * width + digit)
}

/// The digits of a number, the most major first.
fn digits(mut number: usize, widths: &[usize]) -> Vec<usize> {
    let mut digits = vec![0; widths.len()];
    for (digit, width) in digits.iter_mut().zip(widths).rev() {
        *digit = number % width;
        number /= width;
    }
    digits
}

/// Every index of an array, the last dimension fastest.
pub fn indices(sizes: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count = sizes.iter().product();
    (0..count).map(move |number| digits(number, sizes))
}

/// The bits of an element of a type without `E(…)`: whole bytes. The name of a type says its bits.
fn natural_bits(name: &str) -> usize {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let bits = digits[..end.unwrap_or(digits.len())].parse();
    // `pred` has none in its name.
    bits.unwrap_or(1_usize).next_multiple_of(8)
}

impl Model {
    /// The model of a shape that has a layout and no `?`.
    #[must_use]
    pub fn new(shape: &ArrayShape) -> Self {
        let layout = shape.layout.as_ref().expect("the shape has a layout");
        let size = |dim: &xlayout_shape::Dim| dim.bound().expect("no dimension is `?`") as usize;
        let sizes: Vec<usize> = shape.dims.iter().map(size).collect();
        let major_to_minor = layout.minor_to_major.iter().rev().map(|&d| d as usize);
        let major_to_minor: Vec<usize> = major_to_minor.collect();
        let width = |&d: &usize| match layout.padded_dimensions.get(d) {
            Some(&width) => width as usize,
            None => sizes[d],
        };
        let widths: Vec<usize> = major_to_minor.iter().map(width).collect();
        let mut dims = widths.clone();
        let mut tiles = Vec::new();
        for tile in layout.tiles.iter() {
            let added = tile.len().saturating_sub(dims.len());
            dims.splice(0..0, std::iter::repeat_n(1, added));
            let kept = dims.len() - tile.len();
            let mut cuts = Vec::new();
            let mut merged = Vec::new();
            for (&width, entry) in dims[kept..].iter().zip(tile) {
                merged.push(width);
                if let TileDim::Size(tile) = *entry {
                    cuts.push(Cut {
                        merged: std::mem::take(&mut merged),
                        tile: tile as usize,
                    });
                }
            }
            dims.truncate(kept);
            let number_of_tiles =
                |cut: &Cut| cut.merged.iter().product::<usize>().div_ceil(cut.tile);
            dims.extend(cuts.iter().map(number_of_tiles));
            dims.extend(cuts.iter().map(|cut| cut.tile));
            tiles.push(Applied { added, kept, cuts });
        }
        let alignment = layout.tail_padding_alignment_in_elements as usize;
        let bits = match layout.element_size_in_bits as usize {
            0 => natural_bits(&shape.element_type.to_string()),
            bits => bits,
        };
        Self {
            sizes,
            places: dims.iter().product::<usize>().next_multiple_of(alignment),
            bits,
            major_to_minor,
            widths,
            tiles,
            dims,
        }
    }

    /// The bytes that are allocated.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.places * self.bits).div_ceil(8)
    }

    /// The linear index of an element.
    #[must_use]
    pub fn place(&self, index: &[usize]) -> usize {
        let mut at: Vec<usize> = self.major_to_minor.iter().map(|&d| index[d]).collect();
        for Applied { added, kept, cuts } in &self.tiles {
            at.splice(0..0, std::iter::repeat_n(0, *added));
            let mut rest = at.split_off(*kept).into_iter();
            let mut inside = Vec::new();
            for Cut { merged, tile } in cuts {
                let digits: Vec<usize> = rest.by_ref().take(merged.len()).collect();
                let coordinate = number(&digits, merged);
                at.push(coordinate / tile);
                inside.push(coordinate % tile);
            }
            at.extend(inside);
        }
        number(&at, &self.dims)
    }

    /// The linear index of each element, in the sequence of the indices, the last dimension
    /// fastest.
    #[must_use]
    pub fn map(&self) -> Vec<usize> {
        indices(&self.sizes)
            .map(|index| self.place(&index))
            .collect()
    }

    /// The index of the element at a linear index; `None` in padding.
    #[must_use]
    pub fn element(&self, place: usize) -> Option<Vec<usize>> {
        if place >= self.dims.iter().product() {
            return None;
        }
        let mut at = digits(place, &self.dims);
        for Applied { added, kept, cuts } in self.tiles.iter().rev() {
            let last = at.split_off(*kept);
            let (counts, insides) = last.split_at(cuts.len());
            for (Cut { merged, tile }, (count, inside)) in
                cuts.iter().zip(counts.iter().zip(insides))
            {
                let coordinate = count * tile + inside;
                if coordinate >= merged.iter().product() {
                    return None;
                }
                at.extend(digits(coordinate, merged));
            }
            at.drain(..added);
        }
        let mut index = vec![0; self.sizes.len()];
        for (&d, &i) in self.major_to_minor.iter().zip(&at) {
            index[d] = i;
        }
        let inside = index.iter().zip(&self.sizes).all(|(i, size)| i < size);
        debug_assert!(at.iter().zip(&self.widths).all(|(i, width)| i < width));
        inside.then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::{Model, indices};

    /// The examples of XLA's documentation of tiled layouts.
    #[test]
    fn examples_of_xla() {
        let model = |text: &str| Model::new(&text.parse().expect("it is a layout"));
        let tiles = model("f32[3,5]{1,0:T(2,2)}");
        let rows = [0, 1, 4, 5, 8, 2, 3, 6, 7, 10, 12, 13, 16, 17, 20];
        assert_eq!((tiles.map(), tiles.places), (rows.to_vec(), 24));
        assert_eq!(model("f32[5,3]{0,1:T(2,2)}").place(&[4, 2]), 20);
        let merged = model("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}");
        assert_eq!(
            (merged.place(&[1, 6, 7, 10, 9]), merged.places),
            (12_430, 12_432)
        );
        let twice = model("bf16[16,256]{1,0:T(8,128)(2,1)}");
        let places = [[1, 0], [0, 1], [2, 0], [0, 128], [8, 0]].map(|at| twice.place(&at));
        assert_eq!(places, [1, 2, 256, 1024, 2048]);
        assert_eq!(model("s4[3]{0:E(4)}").bytes(), 2);
        assert_eq!((model("s4[3]{0}").bytes(), model("pred[3]").bits), (3, 8));
    }

    /// `element` is the inverse of `place`.
    #[test]
    fn there_and_back() {
        for text in [
            "f32[3,5]{0,1:T(2,*,3)(3,2)}",
            "u8[2,3,2]{1,2,0:T(4)(3)L(50)}",
            "u8[0,3]{0,1}",
            "u8[]",
        ] {
            let model = Model::new(&text.parse().expect("it is a layout"));
            let mut found = vec![None; model.places];
            for index in indices(&model.sizes) {
                let place = model.place(&index);
                assert_eq!(found[place].replace(index), None, "{text}");
            }
            let elements: Vec<_> = (0..model.places)
                .map(|place| model.element(place))
                .collect();
            assert_eq!(elements, found, "{text}");
        }
    }
}
