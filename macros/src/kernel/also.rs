//! `#[also(L2, L3)] x: In<L1>`: a parameter that XLA may pass in several layouts. The function is
//! written once for each combination of them.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::Mistakes;
use super::parameter::{self, colon, last_segment, split};
use crate::mistake::{Mistake, TokenRange};
use crate::text::{as_written, inside, is_punct, is_word, see_through};

/// The most combinations of layouts: each is compiled on its own.
const MOST: usize = 8;
const FORM: &str = "write each further layout of the array: \
     `#[also(layout!(f32[?M, ?N]{0,1}))] x: In<layout!(f32[?M, ?N]{1,0})>`";

/// The function in each combination of layouts; the first one has the types as they are written.
pub(super) struct Combinations {
    pub(super) functions: Vec<Vec<TokenTree>>,
    /// For each combination, and each parameter with several layouts: its number, and its types
    /// before the one of this combination, of which XLA must tell this one apart.
    pub(super) others: Vec<Vec<(usize, Vec<TokenStream>)>>,
}

/// The parameters with several layouts: the number, and all its types.
type Several = Vec<(usize, Vec<Vec<TokenTree>>)>;

/// Takes the attributes off the function.
pub(super) fn read(item: Vec<TokenTree>, mistakes: &mut Mistakes) -> Combinations {
    let as_it_is = |item| Combinations {
        functions: vec![item],
        others: vec![Vec::new()],
    };
    let is_list = |token: &TokenTree| inside(Some(token), Delimiter::Parenthesis).is_some();
    let function = item.iter().position(|token| is_word(Some(token), "fn"));
    let list = function.and_then(|at| Some(at + item[at..].iter().position(is_list)?));
    let Some((at, TokenTree::Group(list))) = list.map(|at| (at, item[at].clone())) else {
        return as_it_is(item);
    };
    let tokens = see_through(list.stream());
    let (mut parameters, mut several, mut found) = (Vec::new(), Several::new(), false);
    for (number, tokens) in split(&tokens).into_iter().enumerate() {
        let (parameter, attributes) = without(tokens);
        if let [first, ..] = &attributes[..] {
            match types(first, attributes.len(), &parameter) {
                Ok(types) => several.push((number, types)),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        found |= !attributes.is_empty();
        parameters.push(parameter);
    }
    if !found {
        return as_it_is(item);
    }
    let count = several.iter().map(|(_, types)| types.len());
    let count = count.fold(1_usize, usize::saturating_mul);
    if let (true, Some((number, _))) = (count > MOST, several.first()) {
        mistakes.push(Mistake::new(
            TokenRange::of_all(&parameters[*number]),
            format!("the function would be compiled for {count} combinations of layouts"),
            format!("leave out layouts until there are {MOST} combinations at most"),
        ));
        several.clear();
    }
    let (mut functions, mut others) = (Vec::new(), Vec::new());
    for combination in 0..several.iter().map(|(_, types)| types.len()).product() {
        let (mut rest, mut parameters, mut before) = (combination, parameters.clone(), Vec::new());
        for (number, types) in &several {
            let chosen = rest % types.len();
            rest /= types.len();
            let parameter = &mut parameters[*number];
            let head = colon(parameter).map_or(parameter.len(), |at| at + 1);
            parameter.truncate(head);
            parameter.extend(types[chosen].iter().cloned());
            let types = types[..chosen].iter();
            before.push((
                *number,
                types.map(|t| t.iter().cloned().collect()).collect(),
            ));
        }
        let parameters = parameters.iter().map(|parameter| quote!(#(#parameter)*));
        let mut written = Group::new(Delimiter::Parenthesis, quote!(#(#parameters),*));
        written.set_span(list.span());
        let mut function = item.clone();
        function[at] = written.into();
        functions.push(function);
        others.push(before);
    }
    Combinations { functions, others }
}

/// A parameter without its attributes `also`, and these.
fn without(mut tokens: &[TokenTree]) -> (Vec<TokenTree>, Vec<Vec<TokenTree>>) {
    let (mut kept, mut found) = (Vec::new(), Vec::new());
    while let [hash, TokenTree::Group(attribute), rest @ ..] = tokens
        && is_punct(Some(hash), '#')
    {
        let written = see_through(attribute.stream());
        match is_word(written.first(), "also") {
            true => found.push(written),
            false => kept.extend([hash.clone(), attribute.clone().into()]),
        }
        tokens = rest;
    }
    kept.extend(tokens.iter().cloned());
    (kept, found)
}

/// All types of a parameter: the one that is written, and one for each layout of the attribute.
fn types(
    attribute: &[TokenTree],
    attributes: usize,
    parameter: &[TokenTree],
) -> Result<Vec<Vec<TokenTree>>, Mistake> {
    let place = TokenRange::of_all(attribute);
    if attributes > 1 {
        let found = "the parameter has more than one `also`";
        return Err(Mistake::new(place, found, "write `#[also(A, B)]` once"));
    }
    let layouts = match attribute {
        [_, list] => inside(Some(list), Delimiter::Parenthesis).map(see_through),
        _ => None,
    };
    let layouts = layouts.unwrap_or_default();
    let layouts = split(&layouts);
    if layouts.is_empty() {
        return Err(Mistake::new(place, "`also` names no layout", FORM));
    }
    let of_type = colon(parameter).map_or(&[][..], |at| &parameter[at + 1..]);
    let open = (of_type.iter()).position(|token| is_punct(Some(token), '<'));
    let (Some(open), true) = (open, last_segment(of_type).is_some_and(parameter::is_array)) else {
        let found = format!(
            "`also` names further layouts of an array, and the type is `{}`",
            as_written(of_type)
        );
        return Err(Mistake::new(place, found, FORM));
    };
    let (head, close) = (&of_type[..=open], &of_type[of_type.len() - 1..]);
    let mut types = vec![of_type.to_vec()];
    for layout in layouts {
        if layout
            .iter()
            .any(|token| inside(Some(token), Delimiter::Brace).is_some())
        {
            let written = as_written(layout);
            let found = format!("expected a layout, found `{written}`");
            return Err(Mistake::new(TokenRange::of_all(layout), found, FORM));
        }
        types.push([head, layout, close].concat());
    }
    Ok(types)
}
