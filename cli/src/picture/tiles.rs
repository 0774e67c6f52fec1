//! The borders of tiles, and the sizes with the padding of tiles.

use xlayout::shape::{Dim, SplitConfigs, TileDim};
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout};

/// The kind of a line: the frame of an array, the border of an inner tile, that of an outer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Line {
    #[default]
    None,
    Thin,
    Thick,
}

/// The tiles of one dimension.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cuts {
    /// For each level, the outermost first: the length of the range that its tiles divide and the length of a tile, in indices. The range
    /// of the outermost level is `usize::MAX`.
    levels: Vec<(usize, usize, Line)>,
}

impl Cuts {
    /// The line before this index, which is inside of the array.
    pub(crate) fn before(&self, index: usize) -> Line {
        let begins = |&&(whole, tile, _): &&(usize, usize, _)| (index % whole).is_multiple_of(tile);
        let lines = self.levels.iter().filter(begins).map(|&(.., line)| line);
        lines.max().unwrap_or_default()
    }

    /// The length of an outer tile, if it is longer than one index.
    pub(crate) fn tile(&self) -> Option<usize> {
        self.levels.first().map(|&(_, tile, _)| tile)
    }
}

/// A physical dimension during the division into tiles.
#[derive(Clone, Copy)]
struct Piece {
    /// None for dimensions that a `*` merged.
    dim: Option<usize>,
    /// The number of indices of one step of it.
    unit: usize,
    width: usize,
    /// Whether it is the most major piece of its dimension.
    top: bool,
}

impl Piece {
    const ONE: Self = Self {
        dim: None,
        unit: 1,
        width: 1,
        top: true,
    };

    /// The number of indices that it spans.
    fn span(&self) -> usize {
        self.unit.saturating_mul(self.width)
    }
}

/// The tiles of all dimensions, and the array with the sizes of its complete tiles.
pub(crate) struct Tiling {
    pub(crate) cuts: Vec<Cuts>,
    /// The array with its padding as elements, so that padding has a linear index; the array
    /// itself where padding lies at no index.
    pub(crate) padded: DynLayout,
}

impl Tiling {
    pub(crate) fn of(layout: &DynLayout) -> Self {
        let shape = layout.array_shape();
        let Some(notation) = &shape.layout else {
            return Self {
                cuts: vec![Cuts::default(); layout.rank()],
                padded: layout.clone(),
            };
        };
        let (cuts, padded) = cut(layout.dims(), notation);
        let padded = padded_twin(shape, &padded)
            .filter(|twin| twin.buffer_len() == layout.buffer_len() && layout.elements() > 0);
        Self {
            cuts,
            padded: padded.unwrap_or_else(|| layout.clone()),
        }
    }
}

/// The same array with these sizes, which are multiples of its tiles.
fn padded_twin(shape: &ArrayShape, sizes: &[usize]) -> Option<DynLayout> {
    let mut twin = shape.clone();
    for (dim, &size) in twin.dims.iter_mut().zip(sizes) {
        *dim = Dim::Static(i64::try_from(size).ok()?);
    }
    let layout = twin.layout.as_mut()?;
    layout.padded_dimensions.truncate(0);
    layout.padding_value = None;
    layout.dynamic_shape_metadata_prefix_bytes = 0;
    layout.split_configs = SplitConfigs::new();
    DynLayout::new(twin).ok()
}

/// Divides the dimensions as lowering does (see "Tiled layout" in XLA's documentation). Returns the tiles and the sizes with padding.
fn cut(sizes: &[usize], layout: &Layout) -> (Vec<Cuts>, Vec<usize>) {
    let mut padded: Vec<usize> = sizes.to_vec();
    for (width, &padded_width) in padded.iter_mut().zip(layout.padded_dimensions.iter()) {
        *width = usize::try_from(padded_width).unwrap_or(*width);
    }
    let mut cuts = vec![Cuts::default(); sizes.len()];
    let mut pieces: Vec<Piece> = (layout.minor_to_major.iter().rev())
        .filter_map(|&dim| usize::try_from(dim).ok())
        .map(|dim| Piece {
            dim: Some(dim),
            unit: 1,
            width: padded[dim],
            top: true,
        })
        .collect();
    for (level, tile) in layout.tiles.iter().enumerate() {
        let line = if level == 0 { Line::Thick } else { Line::Thin };
        if level == 0 {
            // A tile is one index long in the dimensions that it does not name.
            for piece in &pieces[..pieces.len().saturating_sub(tile.len())] {
                if let Some(dim) = piece.dim {
                    cuts[dim].levels.push((usize::MAX, 1, line));
                }
            }
        }
        divide(&mut pieces, tile, Piece::ONE, |run, size| {
            let size = usize::try_from(size).unwrap_or(usize::MAX).max(1);
            let piece = run[1..].iter().copied().fold(run[0], merge);
            let whole = if piece.top { usize::MAX } else { piece.span() };
            let count = Piece {
                unit: piece.unit.saturating_mul(size),
                width: piece.width.div_ceil(size),
                ..piece
            };
            if let Some(dim) = piece.dim {
                cuts[dim].levels.push((whole, count.unit, line));
                if piece.top {
                    padded[dim] = count.span();
                }
            }
            let inside = Piece {
                width: size,
                top: false,
                ..piece
            };
            [count, inside]
        });
    }
    (cuts, padded)
}

/// Divides the last pieces by a tile. Each size of the tile divides a run of pieces, which `*` merges, into two: `part` gives
/// the number of the tile, and what is inside of it. If the tile has more entries than there are pieces, copies of `filler`
/// are put in front of them. Returns the pieces that were divided.
pub(crate) fn divide<P: Clone>(
    pieces: &mut Vec<P>,
    tile: &[TileDim],
    filler: P,
    mut part: impl FnMut(&[P], u64) -> [P; 2],
) -> Vec<P> {
    let missing = tile.len().saturating_sub(pieces.len());
    pieces.splice(0..0, std::iter::repeat_n(filler, missing));
    let divided = pieces.split_off(pieces.len() - tile.len());
    let (mut insides, mut begin) = (Vec::new(), 0);
    for (k, entry) in tile.iter().enumerate() {
        if let TileDim::Size(size) = *entry {
            let [count, inside] = part(&divided[begin..=k], size.unsigned_abs());
            pieces.push(count);
            insides.push(inside);
            begin = k + 1;
        }
    }
    pieces.extend(insides);
    divided
}

/// Merges two neighbours. The result belongs to a dimension only if the other has width 1.
fn merge(major: Piece, minor: Piece) -> Piece {
    match (major.width, minor.width) {
        (1, _) => minor,
        (_, 1) => major,
        _ => Piece {
            dim: None,
            width: major.width.saturating_mul(minor.width),
            ..Piece::ONE
        },
    }
}
