//! Layouts for arrays of any sizes, as people write them.

use std::ops::Range;
use std::str::FromStr;

use xlayout::interop::{BoundaryError, Error, Given, Notation, NumpyOrder};
use xlayout::shape::Explain;
use xlayout::shape::ParseError;
use xlayout::{ArrayShape, DynLayout, ElementType, Layout};

use xlayout_words::counted;

/// What is wrong with a text.
#[derive(Debug)]
pub struct Mistake {
    /// What was found.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Where in the text; in all of it if there is no range.
    pub span: Option<Range<usize>>,
}

pub(crate) fn mistake<K: Explain>(error: ParseError<K>) -> Mistake {
    Mistake {
        message: error.message().to_string(),
        help: error.help().to_string(),
        span: error.span(),
    }
}

/// A layout for arrays of any sizes.
#[derive(Debug)]
pub enum LayoutFor {
    /// One of NumPy's two orders.
    Order(NumpyOrder),
    /// In XLA's notation.
    Layout(Box<Layout>),
    /// A text in another project's notation, and the axes of the array, if it needs them.
    Notation(&'static Notation, String, Option<String>),
}

impl FromStr for LayoutFor {
    type Err = Mistake;

    fn from_str(text: &str) -> Result<Self, Mistake> {
        if let Ok(order) = text.parse() {
            return Ok(Self::Order(order));
        }
        if let Some(notation) = Notation::of(text, &Given::default()) {
            return Ok(Self::Notation(notation, text.to_owned(), None));
        }
        Ok(Self::Layout(Box::new(text.parse().map_err(mistake)?)))
    }
}

impl LayoutFor {
    /// The array in this layout.
    ///
    /// # Errors
    /// When the layout is not valid for it.
    pub fn apply(&self, array: &ArrayShape) -> Result<DynLayout, Mistake> {
        let sizes = array.display_without_layout();
        let mut wanted = array.clone();
        wanted.layout = match self {
            Self::Order(order) => order.minor_to_major(array.rank()).ok().map(Layout::new),
            Self::Layout(layout) => {
                let rank = layout.minor_to_major.len();
                if rank != array.rank() {
                    let listed = counted(rank, "dimension");
                    let has = counted(array.rank(), "dimension");
                    let help = "list every dimension once, the one that varies fastest first";
                    return Err(Mistake {
                        message: format!("the layout is for {listed}, but `{sizes}` has {has}"),
                        help: help.to_owned(),
                        span: None,
                    });
                }
                Some((**layout).clone())
            }
            Self::Notation(notation, text, axes) => {
                let sizes: Vec<i64> = array.dims.iter().filter_map(|dim| dim.bound()).collect();
                let given = given(&sizes, array.element_type, axes);
                notation.read(text, &given).map_err(mistake)?.layout
            }
        };
        DynLayout::new(wanted).map_err(|error| Mistake {
            message: format!("the layout does not fit `{sizes}`: {}", error.message()),
            help: error.help().to_string(),
            span: None,
        })
    }

    /// Whether it is for arrays of this rank: a layout of another rank is not.
    #[must_use]
    pub fn is_for(&self, rank: usize) -> bool {
        match self {
            Self::Order(_) => true,
            Self::Layout(layout) => layout.minor_to_major.len() == rank,
            Self::Notation(notation, text, axes) => {
                let sizes = vec![1; rank];
                let given = given(&sizes, ElementType::U8, axes);
                let is_other_rank =
                    |error: Error| matches!(error.kind(), BoundaryError::OtherRank { .. });
                !notation.read(text, &given).is_err_and(is_other_rank)
            }
        }
    }
}

fn given<'a>(sizes: &'a [i64], ty: ElementType, axes: &'a Option<String>) -> Given<'a> {
    Given {
        sizes: Some(sizes),
        element_type: Some(ty),
        axes: axes.as_deref(),
    }
}
