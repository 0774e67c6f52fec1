//! What a layout becomes: one path, which is a type and a value.
//!
//! Equal layouts become equal paths whatever notation they were written in, so whatever says
//! nothing (`L(1)`, `E(0)`, padding to the size itself) is left out, and the rest has one sequence.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use xlayout_core::{Dim, Layout, PaddingValue, TileDim};

use crate::read::Array;
use crate::sizes::{Size, letters};

/// `$crate::__private::fixed::Fixed::<f32, (D<2>, D<3>), MinorToMajor<(D<1>, D<0>)>, ()>`; with a
/// size that is known at run time only, `Mixed` in place of `Fixed`; with a sharding, a `Sharded` of
/// two such paths.
pub(crate) fn path(root: &TokenStream, array: &Array) -> TokenStream {
    let fixed = quote!(#root::__private::fixed);
    if let Some(spread) = &array.sharding {
        let global = layout(&fixed, root, array);
        let per_device = layout(&fixed, root, &spread.per_device);
        let rule = spread.rule(&fixed);
        return quote!(#fixed::Sharded::<#global, #per_device, #rule>);
    }
    layout(&fixed, root, array)
}

/// The name of the constant value that the layout's type has, if it has one.
pub(crate) fn value(array: &Array) -> Option<Ident> {
    let name = match (&array.sharding, is_mixed(array)) {
        (Some(_), _) => "Sharded",
        (None, false) => "Fixed",
        (None, true) => return None,
    };
    Some(Ident::new(name, Span::call_site()))
}

/// Whether the compiler, and not the macro, knows all sizes: some are constants of the user's, and none
/// is known at run time only.
pub(crate) fn has_constants(array: &Array) -> bool {
    let constant = |size: &Size| matches!(size, Size::Const { .. } | Size::Type(_));
    array.sharding.is_none() && !is_mixed(array) && array.sizes.iter().any(constant)
}

/// The path of an array's layout.
fn layout(fixed: &TokenStream, root: &TokenStream, array: &Array) -> TokenStream {
    let element_type = Ident::new(array.shape.element_type.name(), array.element_type);
    let dims = array
        .shape
        .dims
        .iter()
        .zip(&array.sizes)
        .map(|(&dim, size)| match size {
            Size::Const {
                value,
                bound: false,
            } => quote!(#fixed::D<{ #value }>),
            Size::Const { value, bound: true } => quote!(#fixed::AtMost<{ #value }>),
            Size::Type(number) => quote!(#fixed::Num<#number>),
            Size::Named(name) => {
                let letters = letters(name).into_iter().map(|letter| {
                    let mut letter = Literal::character(letter);
                    letter.set_span(name.span());
                    letter
                });
                quote!(#fixed::Named<#(#letters),*>)
            }
            Size::Text(span) => match dim {
                Dim::Static(n) => {
                    let n = number(n, *span);
                    quote!(#fixed::D<#n>)
                }
                Dim::Bounded(n) => {
                    let n = number(n, *span);
                    quote!(#fixed::AtMost<#n>)
                }
                Dim::Unbounded => quote!(#fixed::RunTime),
            },
        });
    let Some(layout) = &array.shape.layout else {
        unreachable!("the reader gives every array a layout");
    };
    let order = layout.minor_to_major.iter().map(|&d| {
        let d = number(d, Span::call_site());
        quote!(#fixed::D<#d>)
    });
    let attributes = attributes(fixed, array, layout);
    let kind = Ident::new(
        if is_mixed(array) { "Mixed" } else { "Fixed" },
        Span::call_site(),
    );
    quote! {
        #fixed::#kind::<
            #root::__private::dtype::#element_type,
            (#(#dims,)*),
            #fixed::MinorToMajor<(#(#order,)*)>,
            (#(#attributes,)*)
        >
    }
}

/// Whether a size is known at run time only: then the type holds it, and has no constant value.
fn is_mixed(array: &Array) -> bool {
    let dims = array.shape.dims.iter().zip(&array.sizes);
    dims.into_iter().any(|(dim, size)| match size {
        Size::Text(_) => dim.is_unbounded(),
        Size::Named(_) => true,
        Size::Const { .. } | Size::Type(_) => false,
    })
}

fn attributes(fixed: &TokenStream, array: &Array, layout: &Layout) -> Vec<TokenStream> {
    let span = Span::call_site();
    let plain = |n: i64| number(n, span);
    let mut all = Vec::new();
    for tile in layout.tiles.iter() {
        let entries = tile.iter().map(|entry| match *entry {
            TileDim::Size(n) => {
                let n = plain(n);
                quote!(#fixed::D<#n>)
            }
            TileDim::Combine => quote!(#fixed::Star),
        });
        all.push(quote!(#fixed::T<(#(#entries,)*)>));
    }
    let n = layout.tail_padding_alignment_in_elements;
    if n != 1 {
        let n = plain(n);
        all.push(quote!(#fixed::L<#n>));
    }
    let n = layout.element_size_in_bits;
    if n != 0 {
        let n = plain(n);
        all.push(quote!(#fixed::E<#n>));
    }
    let n = layout.memory_space;
    if n != 0 {
        let n = plain(n.into());
        all.push(quote!(#fixed::S<#n>));
    }
    for split in layout.split_configs.iter() {
        let dimension = plain(split.dimension);
        let at = split.split_indices.iter().map(|&n| {
            let n = plain(n);
            quote!(#fixed::At<#n>)
        });
        all.push(quote!(#fixed::Sc<#dimension, (#(#at,)*)>));
    }
    let n = layout.dynamic_shape_metadata_prefix_bytes;
    if n > 0 {
        let n = plain(n);
        all.push(quote!(#fixed::M<#n>));
    }
    // Of a constant nobody knows here whether the padding says something.
    let padded = &layout.padded_dimensions;
    let numbers = array.sizes.iter().all(|size| matches!(size, Size::Text(_)));
    let widths = || array.shape.dims.iter().map(|dim| dim.bound());
    let says_nothing = padded.is_empty() || numbers && padded.iter().map(|&n| Some(n)).eq(widths());
    if !says_nothing {
        let padded = padded.iter().map(|&n| {
            let n = plain(n);
            quote!(#fixed::D<#n>)
        });
        all.push(quote!(#fixed::Padded<(#(#padded,)*)>));
    }
    if let Some(value) = layout.padding_value {
        let value = match value {
            PaddingValue::Zero => "Zero",
            PaddingValue::One => "One",
            PaddingValue::Lowest => "Lowest",
            PaddingValue::Highest => "Highest",
            PaddingValue::Unknown => "Unknown",
            _ => unreachable!("XLA has five padding values"),
        };
        let value = Ident::new(value, span);
        all.push(quote!(#fixed::Fill<#fixed::#value>));
    }
    all
}

/// A number as a generic argument: `-1` is one, without braces.
pub(crate) fn number(n: i64, span: Span) -> TokenStream {
    let mut literal = Literal::u64_unsuffixed(n.unsigned_abs());
    literal.set_span(span);
    if n < 0 {
        quote!(-#literal)
    } else {
        quote!(#literal)
    }
}
