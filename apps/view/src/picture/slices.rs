//! The two dimensions that are drawn, and the fixed indices of the others.

use xlayout::DynLayout;

use crate::error::{Error, Outcome, TextSpan};
use crate::index::coordinates;

/// What to draw of an array of several dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slices {
    /// The dimension of the rows, and the dimension of the columns. An array of one dimension is a
    /// row.
    pub(crate) down: Option<usize>,
    pub(crate) right: Option<usize>,
    /// The index of each dimension, for each slice. The indices of the two drawn dimensions are not
    /// used.
    pub(crate) fixed: Vec<Vec<usize>>,
    /// The number of all slices, shown or not; saturates.
    pub(crate) total: usize,
    /// Whether a single slice is requested.
    pub(crate) is_requested: bool,
}

impl Slices {
    /// The last two dimensions or the requested ones; all slices or the requested one.
    pub(crate) fn of(
        layout: &DynLayout,
        dims: Option<&str>,
        slice: Option<&str>,
        limit: usize,
    ) -> Outcome<Self> {
        let sizes = layout.dims();
        let slice = slice.map(|text| read_slice(text, sizes)).transpose()?;
        let requested = dims.map(|dims| read_dims(dims, sizes.len())).transpose()?;
        if let (Some((_, open)), Some((down, right)), Some(dims)) = (&slice, requested, dims)
            && [down, right]
                .into_iter()
                .flatten()
                .any(|dim| !open.contains(&dim))
        {
            let message = "--dims names a dimension that --slice holds at one index";
            let help = "write `:` for both dimensions in --slice, or leave out --dims";
            let place = TextSpan::of_whole("--dims", dims);
            return Err(Error::new(message).at(place).help(help));
        }
        // The last two dimensions, or those that the slice leaves open.
        let all: Vec<usize> = (0..sizes.len()).collect();
        let open = slice.as_ref().map_or(&all, |(_, open)| open);
        let (down, right) = requested.unwrap_or(match open[..] {
            [] => (None, None),
            [right] => (None, Some(right)),
            [.., down, right] => (Some(down), Some(right)),
        });
        if let Some((at, _)) = slice {
            return Ok(Self {
                down,
                right,
                fixed: vec![at],
                total: 1,
                is_requested: true,
            });
        }
        let held: Vec<usize> = (0..sizes.len())
            .filter(|&d| Some(d) != down && Some(d) != right)
            .collect();
        let total = held
            .iter()
            .fold(1_usize, |n, &d| n.saturating_mul(sizes[d]));
        let mut fixed = Vec::new();
        let mut at = vec![0; sizes.len()];
        for _ in 0..total.min(limit) {
            fixed.push(at.clone());
            for &d in held.iter().rev() {
                at[d] += 1;
                if at[d] < sizes[d] {
                    break;
                }
                at[d] = 0;
            }
        }
        Ok(Self {
            down,
            right,
            fixed,
            total,
            is_requested: false,
        })
    }

    /// `[2, :, :]`; empty if no index is fixed.
    pub(crate) fn label(&self, fixed: &[usize]) -> String {
        let drawn = |d| Some(d) == self.down || Some(d) == self.right;
        if (0..fixed.len()).all(drawn) {
            return String::new();
        }
        let entry = |(d, at): (usize, &usize)| {
            if drawn(d) {
                ":".to_owned()
            } else {
                at.to_string()
            }
        };
        let entries: Vec<_> = fixed.iter().enumerate().map(entry).collect();
        format!("[{}]", entries.join(", "))
    }
}

type Drawn = (Option<usize>, Option<usize>);

/// Reads `2,:,:`: the index of each dimension, and the open dimensions.
fn read_slice(text: &str, sizes: &[usize]) -> Outcome<(Vec<usize>, Vec<usize>)> {
    let entries = coordinates("--slice", text, sizes, true)?;
    let open: Vec<usize> = (0..entries.len())
        .filter(|&d| entries[d].is_none())
        .collect();
    if open.len() > 2 {
        let count = open.len();
        let what = format_args!("--slice leaves {count} dimensions open");
        let failure = Error::new(what).at(TextSpan::of_whole("--slice", text));
        return Err(failure.help("two can be drawn: give the others an index"));
    }
    let at = entries.iter().map(|entry| entry.unwrap_or(0)).collect();
    Ok((at, open))
}

/// `0,2`: down, right.
fn read_dims(text: &str, rank: usize) -> Outcome<Drawn> {
    let wrong = |message: String| {
        Error::new(message)
            .at(TextSpan::of_whole("--dims", text))
            .help("name two dimensions, the one that goes down first: `--dims 0,2`")
    };
    let mut dims = Vec::new();
    for entry in text.split(',') {
        match entry.trim().parse::<usize>() {
            Ok(dim) if dim < rank => dims.push(dim),
            Ok(dim) => {
                return Err(wrong(format!(
                    "there is no dimension {dim}: the shape has {rank}, counted from 0"
                )));
            }
            Err(_) => return Err(wrong(format!("`{}` is no dimension", entry.trim()))),
        }
    }
    match dims[..] {
        [right] => Ok((None, Some(right))),
        [down, right] if down != right => Ok((Some(down), Some(right))),
        [_, _] => Err(wrong("both dimensions are the same".to_owned())),
        _ => Err(wrong(format!("{} dimensions are named", dims.len()))),
    }
}
