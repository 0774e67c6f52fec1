//! Lists as text.

use core::fmt::Display;

use xlayout_shape::words::{self, from_fn};

/// Items with a text between each two of them: `2, 3`.
pub(crate) fn joined<T: Display>(
    items: impl IntoIterator<Item = T> + Clone,
    comma: &'static str,
) -> impl Display {
    from_fn(move |f| words::joined(f, items.clone(), comma))
}

/// A tuple as Python writes it: `()`, `(2,)`, `(2, 3)`.
pub(crate) fn python_tuple<T: Display>(items: impl IntoIterator<Item = T> + Clone) -> impl Display {
    let is_single = items.clone().into_iter().count() == 1;
    let end = if is_single { ",)" } else { ")" };
    from_fn(move |f| write!(f, "({}{end}", joined(items.clone(), ", ")))
}
