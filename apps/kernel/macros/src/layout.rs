//! The layouts of a kernel's arrays, where they are visible: XLA's custom calls on the CPU pass
//! dense arrays only. (Behind an alias the crate `xlayout-kernel` refuses the others.)

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Type;
use xlayout_shape::{ArrayShape, Layout, PaddingValue};

use crate::mistake::mistake;
use crate::tokens::{as_written, call_layout, inside, is_punct, is_word, see_through};

/// The inside of the first `layout!(…)` in a type, by whatever path the macro is called.
pub(crate) fn find(of_type: TokenStream) -> Option<Group> {
    let tokens: Vec<_> = see_through(of_type).into_iter().collect();
    tokens
        .iter()
        .enumerate()
        .find_map(|(at, token)| match token {
            TokenTree::Group(group) if call_layout(&tokens[..at]) => Some(group.clone()),
            TokenTree::Group(group) => find(group.stream()),
            _ => None,
        })
}

/// `layout!(f32[2,3]{1,0})`, as XLA writes it.
pub(crate) fn shown(layout: &Group) -> String {
    format!("layout!({})", text(see_through(layout.stream())))
}

fn text(tokens: impl ToTokens) -> String {
    as_written(tokens).replace("{ ", "{").replace(" }", "}")
}

/// Why XLA passes no array of a layout in this type. A layout with mistakes reports them itself,
/// and `Converted<…>` has any layout.
///
/// The sizes may be constants of the program. They decide nothing here, and are read as 1.
pub(crate) fn refuse(of_type: &Type) -> Option<syn::Error> {
    let of_type = of_type.to_token_stream();
    let mut words = of_type.clone().into_iter();
    if words.any(|token| is_word(Some(&token), "Converted")) {
        return None;
    }
    let tokens: Vec<_> = see_through(find(of_type)?.stream()).into_iter().collect();
    let is_list = |token: &TokenTree| inside(token, Delimiter::Bracket).is_some();
    let at = tokens.iter().position(is_list)?;
    let sizes: Vec<_> = inside(&tokens[at], Delimiter::Bracket)?
        .into_iter()
        .collect();
    let ones = sizes
        .split(|token| is_punct(Some(token), ','))
        .filter(|size| !size.is_empty());
    let ones: Vec<_> = ones.map(|_| "1").collect();
    let before = text(TokenStream::from_iter(tokens[..at].to_vec()));
    let behind = text(TokenStream::from_iter(tokens[at + 1..].to_vec()));
    let shape = format!("{before}[{}]{behind}", ones.join(","));
    let layout = shape.parse::<ArrayShape>().ok()?.layout?;
    let is_bound = |pair: &[TokenTree]| is_punct(pair.first(), '<') && is_punct(pair.last(), '=');
    if sizes.windows(2).any(is_bound) {
        let found = "XLA passes arrays with their sizes, and this layout has a bound";
        let help = "write `?` in the place of `<=` and the number";
        return Some(mistake(&tokens[at], found, help));
    }
    let has = [
        (!layout.tiles.is_empty(), "tiles"),
        (
            layout.tail_padding_alignment_in_elements != 1,
            "a tail alignment `L(…)`",
        ),
        (layout.memory_space != 0, "a memory space `S(…)`"),
        (!layout.split_configs.is_empty(), "splits `SC(…)`"),
        (
            layout.dynamic_shape_metadata_prefix_bytes != 0,
            "a prefix of metadata `M(…)`",
        ),
        (!layout.padded_dimensions.is_empty(), "padding"),
        (
            !matches!(layout.padding_value, None | Some(PaddingValue::Unknown)),
            "a padding value",
        ),
    ];
    let what = has.iter().find(|row| row.0)?.1;
    let dense = Layout::new(layout.minor_to_major).to_string();
    let help = match what {
        "tiles" | "padding" | "a tail alignment `L(…)`" => format!(
            "write `{dense}`; or `Converted<layout!(…)>` around this layout \
             (feature `relayout`), which converts the array in the kernel"
        ),
        _ => format!("write `{dense}`"),
    };
    let found = format!("XLA passes dense arrays on the CPU, and this layout has {what}");
    let mut braces = tokens.iter();
    match braces.find(|token| inside(token, Delimiter::Brace).is_some()) {
        Some(braces) => Some(mistake(braces, found, help)),
        None => Some(mistake(TokenStream::from_iter(tokens), found, help)),
    }
}
