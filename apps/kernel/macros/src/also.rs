//! `#[also(L2, L3)] x: In<L1>`: a parameter that XLA may pass in several layouts. The function is
//! written once for each combination of them.

use proc_macro2::TokenStream;
use syn::{Attribute, GenericArgument, Meta, PathArguments, Type};

use crate::mistake::{list, mistake};
use crate::path::layout_of_array;
use crate::tokens::{as_written, see_through};

const FORM: &str = "write each further layout of the array: \
     `#[also(layout!(f32[?M, ?N]{0,1}))] x: In<layout!(f32[?M, ?N]{1,0})>`";

/// The type of a parameter in each of the further layouts, which its attributes `also` name.
pub(crate) fn types(attributes: &[Attribute], of_type: &Type) -> syn::Result<Vec<Type>> {
    let attribute = match attributes {
        [] => return Ok(Vec::new()),
        [attribute] => &attribute.meta,
        [first, ..] => {
            let found = "the parameter has more than one `also`";
            return Err(mistake(&first.meta, found, "write `#[also(A, B)]` once"));
        }
    };
    let layouts = match attribute {
        Meta::List(layouts) => see_through(layouts.tokens.clone()),
        _ => TokenStream::new(),
    };
    if layouts.is_empty() {
        return Err(mistake(attribute, "`also` names no layout", FORM));
    }
    if layout_of_array(of_type).is_none() {
        let written = as_written(of_type);
        let found =
            format!("`also` names further layouts of an array, and the type is `{written}`");
        return Err(mistake(attribute, found, FORM));
    }
    let layouts = list(layouts, "a layout", FORM)?;
    let of_layout = |layout| with_layout(of_type.clone(), layout);
    Ok(layouts.into_iter().map(of_layout).collect())
}

/// `In<B>` from `In<A>`.
fn with_layout(mut of_type: Type, layout: Type) -> Type {
    if let Type::Path(path) = &mut of_type
        && let Some(array) = path.path.segments.last_mut()
        && let PathArguments::AngleBracketed(arguments) = &mut array.arguments
        && let Some(last) = arguments.args.last_mut()
    {
        *last = GenericArgument::Type(layout);
    }
    of_type
}
