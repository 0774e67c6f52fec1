//! What a layout becomes: one path, which is a type and a value.
//!
//! Equal layouts become equal paths whatever notation they were written in, so whatever says
//! nothing (`L(1)`, `E(0)`, padding to the size itself) is left out, and the rest has one sequence.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use xlayout_shape::error::Attribute as Known;
use xlayout_shape::{Dim, Layout, TileDim};

use crate::array::Array;
use crate::path::Path;
use crate::sizes::Size;
use crate::text::letters;

/// `$crate::__private::StaticLayout::<f32, (N2, N3), ColumnMajor2, ()>`; with a size that is
/// known at run time only, `MixedLayout` in place of `StaticLayout`; with a sharding, a `Sharded`
/// of two such paths.
pub(crate) fn path(root: &TokenStream, array: &Array) -> TokenStream {
    let root_tokens: Vec<TokenTree> = root.clone().into_iter().collect();
    Path::write(&root_tokens, |path| match &array.sharding {
        Some(spread) => path.turbofish("Sharded", |path| {
            layout(path, array);
            path.punct(',');
            layout(path, &spread.per_device);
            path.punct(',');
            path.tokens(spread.rule(&quote!(#root::__private)));
        }),
        None => layout(path, array),
    })
}

/// The name of the constant value that the layout's type has, if it has one.
pub(crate) fn value(array: &Array) -> Option<Ident> {
    let name = match (&array.sharding, is_mixed(array)) {
        (Some(_), _) => "Sharded",
        (None, false) => "StaticLayout",
        (None, true) => return None,
    };
    Some(Ident::new(name, Span::call_site()))
}

/// Whether the compiler, and not the macro, knows all sizes: some are constants of the user's, and
/// none is known at run time only.
pub(crate) fn has_constants(array: &Array) -> bool {
    let constant = |size: &Size| matches!(size, Size::Const { .. } | Size::Type(_));
    array.sharding.is_none() && !is_mixed(array) && array.sizes.iter().any(constant)
}

/// The path of an array's layout.
fn layout(path: &mut Path<'_>, array: &Array) {
    let Some(layout) = &array.shape.layout else {
        unreachable!("the reader gives every array a layout");
    };
    let kind = if is_mixed(array) {
        "MixedLayout"
    } else {
        "StaticLayout"
    };
    path.turbofish(kind, |path| {
        path.name_at(array.shape.element_type.name(), array.element_type);
        path.punct(',');
        let dims = array.shape.dims.iter().zip(&array.sizes);
        path.tuple(dims, |path, (&dim, size)| dimension(path, dim, size));
        path.punct(',');
        order(path, &layout.minor_to_major);
        path.punct(',');
        path.parentheses(|path| attributes(path, array, layout));
    });
}

/// `MinorToMajor<…>`, or its alias where the facade has one.
fn order(path: &mut Path<'_>, minor_to_major: &[i64]) {
    let rank = minor_to_major.len();
    if [7, 6, 5, 4, 3, 2, 1, 0].ends_with(minor_to_major) {
        path.name(&format!("RowMajor{rank}"));
    } else if [0, 1, 2, 3, 4, 5, 6, 7].starts_with(minor_to_major) {
        path.name(&format!("ColumnMajor{rank}"));
    } else {
        path.generic("MinorToMajor", |path| {
            path.tuple(minor_to_major, |path, &d| {
                number(path, d, Span::call_site());
            });
        });
    }
}

/// `Nat<n>`, or its alias where the facade has one: an alias without a number is cheaper to compile
/// than a number.
fn number(path: &mut Path<'_>, n: i64, span: Span) {
    if has_short_name(n) {
        path.name_at(&format!("N{n}"), span);
    } else {
        path.numbered("Nat", n, span);
    }
}

/// Whether `core/src/layouts/types/short_names.rs` has a name for a number.
pub(crate) fn has_short_name(n: i64) -> bool {
    matches!(n, 0..=128) || n <= 65536 && n > 0 && n & (n - 1) == 0
}

fn dimension(path: &mut Path<'_>, dim: Dim, size: &Size) {
    match size {
        Size::Const { value, bound } => {
            let name = if *bound { "AtMost" } else { "Nat" };
            path.generic(name, |path| path.block(value));
        }
        Size::Type(number) => path.generic("Num", |path| {
            path.generic("Typenum", |path| path.tokens(number.clone()));
        }),
        Size::Named(name) => {
            path.generic("Named", |path| path.letters(&letters(name), name.span()))
        }
        Size::Computed { text, span } => {
            path.generic("Named", |path| path.letters(text, *span));
        }
        Size::Text(span) => match dim {
            Dim::Static(n) => number(path, n, *span),
            Dim::Bounded(n) => path.numbered("AtMost", n, *span),
            Dim::Unbounded => path.name("RunTime"),
        },
    }
}

/// Whether a size is known at run time only: then the type holds it, and has no constant value.
fn is_mixed(array: &Array) -> bool {
    let dims = array.shape.dims.iter().zip(&array.sizes);
    dims.into_iter().any(|(dim, size)| match size {
        Size::Text(_) => *dim == Dim::Unbounded,
        Size::Named(_) | Size::Computed { .. } => true,
        Size::Const { .. } | Size::Type(_) => false,
    })
}

/// The type of an attribute that has a number.
const fn type_name(attribute: Known) -> Option<&'static str> {
    match attribute {
        Known::TailAlignment => Some("TailAlign"),
        Known::ElementSize => Some("ElementWidth"),
        Known::MemorySpace => Some("MemSpace"),
        Known::Metadata => Some("MetadataBytes"),
        _ => None,
    }
}

/// The attributes, each with a comma.
fn attributes(path: &mut Path<'_>, array: &Array, layout: &Layout) {
    let span = Span::call_site();
    for &(attribute, ..) in Known::ALL {
        match attribute {
            Known::Tiles => layout.tiles.iter().for_each(|entries| {
                path.generic("Tile", |path| {
                    path.tuple(entries, |path, entry| match *entry {
                        TileDim::Size(n) => number(path, n, span),
                        TileDim::Combine => path.name("Star"),
                    });
                });
                path.punct(',');
            }),
            Known::Splits => layout.split_configs.iter().for_each(|split| {
                path.generic("SplitDim", |path| {
                    path.number(split.dimension, span);
                    path.punct(',');
                    path.tuple(split.split_indices, |path, &n| path.numbered("At", n, span));
                });
                path.punct(',');
            }),
            _ => {
                if let (Some(name), Some(n)) = (type_name(attribute), layout.number(attribute)) {
                    path.numbered(name, n, span);
                    path.punct(',');
                }
            }
        }
    }
    // Of a constant of the user's it is not known here whether the padding says something.
    let padded = &layout.padded_dimensions;
    let numbers = array.sizes.iter().all(|size| matches!(size, Size::Text(_)));
    let mut dims = padded.iter().zip(&array.shape.dims);
    let says_nothing = padded.is_empty() || numbers && dims.all(|(&n, d)| d.bound() == Some(n));
    if !says_nothing {
        path.generic("Padded", |path| {
            path.tuple(padded, |path, &n| number(path, n, span));
        });
        path.punct(',');
    }
    if let Some(value) = layout.padding_value {
        // The types have the names of the variants.
        path.generic("Fill", |path| path.name(&format!("{value:?}")));
        path.punct(',');
    }
}
