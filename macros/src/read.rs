//! One layout: from tokens to what core read, or to all mistakes.

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use xlayout_shape::error::Explain;
use xlayout_shape::lowering::check;
use xlayout_shape::text::{Notation, Rules, read_array};
use xlayout_shape::{ArrayShape, ParseError};

use crate::mistake::{Mistake, Place};
use crate::sharding::{self, Spread};
use crate::sizes::{self, Size};
use crate::text::{Text, inside, is_punct, see_through};

/// The rules that a layout keeps in `layout!`: our notation beside XLA's, and whatever index
/// arithmetic needs.
pub(crate) const RULES: Rules = Rules {
    notation: Notation::Extended,
    addressable: true,
};

/// A layout that was read and found valid.
#[derive(Debug)]
pub(crate) struct Array {
    /// What core read. Where a size is a constant of the user's, this has 1.
    pub(crate) shape: ArrayShape,
    /// The sizes as they were written, one for each dimension.
    pub(crate) sizes: Vec<Size>,
    /// The span of the element type, for editors.
    pub(crate) element_type: Span,
    /// The devices that it is spread over.
    pub(crate) sharding: Option<Spread>,
}

/// Reads and checks one layout.
pub(crate) fn read(root: &TokenStream, tokens: &[TokenTree]) -> Result<Array, Vec<Mistake>> {
    if let Some(mistake) = array_of_rust(tokens) {
        return Err(vec![mistake]);
    }
    let mut mistakes = Vec::new();
    let (tokens, given) = sharding::take(tokens, &mut mistakes);
    let tokens = &tokens[..];
    let mut text = Text::default();
    let brackets = tokens
        .iter()
        .position(|token| inside(Some(token), Delimiter::Bracket).is_some());
    let sizes = match brackets {
        Some(at) => {
            match element_type_in_a_path(&tokens[..at]) {
                Some(path) => text.push(&path, Place::of_all(&tokens[..at])),
                None => text.push_tokens(&tokens[..at]),
            }
            let sizes = sizes::read(root, &tokens[at], &mut text, &mut mistakes);
            text.push_tokens(&tokens[at + 1..]);
            sizes
        }
        None => {
            text.push_tokens(tokens);
            Vec::new()
        }
    };
    let shape = read_array(text.as_str(), RULES, &mut |error| {
        mistakes.push(of_core(&error, &text));
    });
    mistakes.sort_by_key(|mistake| mistake.offset);
    let element_type = Place::of_all(tokens).first;
    let sharding = given.and_then(|given| given.read(&mut mistakes));
    let Some(shape) = shape.filter(|_| mistakes.is_empty()) else {
        return Err(mistakes);
    };
    if let Some((found, help)) = beyond_a_type(&shape) {
        return Err(vec![Mistake::new(layout_place(tokens), found, help)]);
    }
    let mut array = Array {
        shape,
        sizes,
        element_type,
        sharding: None,
    };
    if let Some(sharding) = sharding {
        array.sharding = Some(sharding.spread(&array).map_err(|mistake| vec![mistake])?);
    }
    Ok(array)
}

/// What core says of the text, at the tokens.
pub(crate) fn of_core<K: Explain>(error: &ParseError<K>, text: &Text) -> Mistake {
    Mistake {
        place: text.place(error.span()),
        message: match error.help() {
            Some(help) => format!("{}\nhelp: {help}", error.message()),
            None => error.message().to_string(),
        },
        offset: error.span().map_or(0, |range| range.start),
    }
}

/// `[[f32; 3]; 2]`.
fn array_of_rust(tokens: &[TokenTree]) -> Option<Mistake> {
    let [brackets] = tokens else { return None };
    let inside = see_through(inside(Some(brackets), Delimiter::Bracket)?);
    inside
        .iter()
        .any(|token| is_punct(Some(token), ';'))
        .then(|| {
            Mistake::new(
                Place::of(brackets),
                "this is an array type of Rust, not a layout",
                "write the element type, then all dimensions in one list: `f32[2,3]`",
            )
        })
}

/// `np::float32` or `jnp.bfloat16` as one piece of text, as core reads it from a text.
fn element_type_in_a_path(tokens: &[TokenTree]) -> Option<String> {
    let (first, mut rest) = tokens.split_first()?;
    let mut path = match first {
        TokenTree::Ident(name) => name.to_string(),
        _ => return None,
    };
    while !rest.is_empty() {
        let (separator, name) = match rest {
            [dot, TokenTree::Ident(name), ..] if is_punct(Some(dot), '.') => (".", name),
            [first, second, TokenTree::Ident(name), ..]
                if is_punct(Some(first), ':') && is_punct(Some(second), ':') =>
            {
                ("::", name)
            }
            _ => return None,
        };
        path += separator;
        path += &name.to_string();
        rest = &rest[separator.len() + 1..];
    }
    (tokens.len() > 1).then_some(path)
}

/// What a type cannot hold, or what cannot be addressed at all. Where the user has a constant there
/// is a 1 here; the compiler, which knows it later, checks again.
pub(crate) fn beyond_a_type(shape: &ArrayShape) -> Option<(String, &'static str)> {
    const MOST: usize = 16;
    const MOST_IN_ALL: usize = 32;
    const HELP: &str = "read the layout at run time: a `DynLayout` holds any number";
    if let Some(layout) = &shape.layout {
        let tiles = || layout.tiles.iter().map(<[_]>::len);
        let splits = || {
            layout
                .split_configs
                .iter()
                .map(|split| split.split_indices.len())
        };
        for (what, most, count) in [
            ("entries in one tile", MOST, tiles().max().unwrap_or(0)),
            ("tile entries in all", MOST_IN_ALL, tiles().sum()),
            ("indices in one split", MOST, splits().max().unwrap_or(0)),
            ("split indices in all", MOST_IN_ALL, splits().sum()),
            // Beside these there are at most L, E, S, M, and two of padding.
            (
                "tiles and splits",
                MOST - 6,
                layout.tiles.len() + layout.split_configs.len(),
            ),
        ] {
            if count > most {
                return Some((
                    format!("`layout!` takes up to {most} {what}, found {count}"),
                    HELP,
                ));
            }
        }
    }
    let error = check(shape).err()?;
    Some((error.message().into(), error.help()))
}

/// The braces of the layout; all tokens where there are none.
pub(crate) fn layout_place(tokens: &[TokenTree]) -> Place {
    let braces = tokens
        .iter()
        .find(|token| inside(Some(token), Delimiter::Brace).is_some());
    braces.map_or_else(|| Place::of_all(tokens), Place::of)
}

/// Tokens as a person would write them: without the blanks of `N * 2`, but with those that keep
/// words apart.
pub(crate) fn as_written(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    let mut blank = false;
    for token in tokens {
        let word = matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
        if word && blank {
            text.push(' ');
        }
        blank = word;
        match token {
            TokenTree::Group(group) => text.push_str(&group_as_written(group)),
            TokenTree::Punct(punct) => {
                let operator = "+-*/%&|^".contains(punct.as_char()) && !text.is_empty();
                let alone = operator && punct.spacing() == Spacing::Alone;
                text.extend(alone.then_some(' '));
                text.push(punct.as_char());
                text.extend(alone.then_some(' '));
            }
            token => text.push_str(&token.to_string()),
        }
    }
    text
}

fn group_as_written(group: &Group) -> String {
    let inside: Vec<_> = group.stream().into_iter().collect();
    let inside = as_written(&inside);
    match group.delimiter() {
        Delimiter::Parenthesis => format!("({inside})"),
        Delimiter::Brace => format!("{{ {inside} }}"),
        Delimiter::Bracket => format!("[{inside}]"),
        Delimiter::None => inside,
    }
}
