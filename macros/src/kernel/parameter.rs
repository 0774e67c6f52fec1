//! One parameter: a name, and a type that the crate `xlayout-kernel` knows.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;

use super::{Mistakes, layout};
use crate::mistake::{Mistake, TokenRange};
use crate::text::as_written;
use crate::text::{is_punct, is_word, see_through};

pub(super) struct Parameter {
    pub(super) name: Ident,
    pub(super) of_type: Vec<TokenTree>,
}

impl Parameter {
    /// Whether this is not a result: a type that is seen to be another.
    pub(super) fn is_no_result(&self) -> bool {
        const OTHERS: [&str; 8] = [
            "In",
            "Scalar",
            "Word",
            "Option",
            "Pool",
            "Context",
            "DeviceOrdinal",
            "RunId",
        ];
        let other = |name| OTHERS.iter().any(|other| name == other);
        if let Some(array) = array_in_an_option(&self.of_type) {
            return last_segment(array).is_some_and(|name| name == "In");
        }
        is_punct(self.of_type.first(), '&') || last_segment(&self.of_type).is_some_and(other)
    }

    /// The name without `r#`.
    pub(super) fn plain_name(&self) -> String {
        self.name.unraw().to_string()
    }
}

/// The parameters, and the list of them in which each wrong type is one that the compiler says
/// nothing more about: all of them where the kernel is generic. Lifetimes that are declared need no
/// second mistake.
pub(super) fn read_all(
    list: &[TokenTree],
    generic: Option<&Mistake>,
    named: bool,
    mistakes: &mut Mistakes,
) -> (Vec<Parameter>, TokenStream) {
    let (mut parameters, mut repaired) = (Vec::new(), TokenStream::new());
    for part in split(list) {
        let (mut head, mut wrong) = (part, generic.cloned());
        match read(without_attributes(part, mistakes)) {
            Ok(parameter) => {
                head = &part[..part.len() - parameter.of_type.len()];
                let visible = || layout::refuse(&layout::passed(&parameter.of_type)?);
                let found = beyond_a_call(&parameter, named).or_else(visible);
                mistakes.extend(found.clone());
                wrong = wrong.or(found);
                parameters.push(parameter);
            }
            Err(mistake) => mistakes.push(mistake),
        }
        let of_type = &part[head.len()..];
        let of_type = match wrong {
            Some(mistake) if !of_type.is_empty() => {
                let error = syn::Error::from(mistake).into_compile_error();
                quote!([(); { #error }])
            }
            _ => quote!(#(#of_type)*),
        };
        repaired.extend(quote!(#(#head)* #of_type,));
    }
    (parameters, repaired)
}

/// The parts between commas. A comma between angle brackets is the type's own.
pub(super) fn split(list: &[TokenTree]) -> Vec<&[TokenTree]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, token) in list.iter().enumerate() {
        let arrow = at > 0 && is_punct(list.get(at - 1), '-');
        if is_punct(Some(token), '<') {
            depth += 1;
        } else if is_punct(Some(token), '>') && !arrow {
            depth = depth.saturating_sub(1);
        } else if is_punct(Some(token), ',') && depth == 0 {
            parts.push(&list[start..at]);
            start = at + 1;
        }
    }
    parts.push(&list[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// A parameter behind its attributes. Levels of lints may be there.
fn without_attributes<'a>(mut tokens: &'a [TokenTree], mistakes: &mut Mistakes) -> &'a [TokenTree] {
    while let [hash, brackets @ TokenTree::Group(attribute), rest @ ..] = tokens
        && is_punct(Some(hash), '#')
    {
        let word = see_through(attribute.stream()).into_iter().next();
        if ["cfg", "cfg_attr"]
            .iter()
            .any(|w| is_word(word.as_ref(), w))
        {
            mistakes.push(Mistake::new(
                TokenRange::of(hash).to(TokenRange::of(brackets)),
                "a kernel always has the same parameters",
                "write two kernels, each with its `#[cfg(…)]`",
            ));
        }
        tokens = rest;
    }
    tokens
}

/// `mut x: Type`.
fn read(tokens: &[TokenTree]) -> Result<Parameter, Mistake> {
    let place = TokenRange::of_all(tokens);
    let word = |word| tokens.iter().any(|token| is_word(Some(token), word));
    let colon = colon(tokens);
    let (pattern, of_type) = match colon {
        Some(at) => (&tokens[..at], &tokens[at + 1..]),
        None => (tokens, &tokens[tokens.len()..]),
    };
    if pattern.iter().any(|token| is_word(Some(token), "self")) {
        return Err(Mistake::new(
            place,
            "a kernel is a function of a module and has no `self`",
            "write what it needs as parameters: arrays `In<…>` and `Out<…>`, numbers `Scalar<…>`",
        ));
    }
    if tokens.iter().all(|token| is_punct(Some(token), '.')) {
        let found = "a kernel has a fixed number of parameters";
        return Err(Mistake::new(
            place,
            found,
            "write each with its name and type",
        ));
    }
    let name = match pattern {
        [name] => Some(name),
        [word, name] if is_word(Some(word), "mut") => Some(name),
        _ => None,
    };
    let Some(TokenTree::Ident(name)) = name.filter(|name| !is_word(Some(name), "_")) else {
        let found = as_written(pattern);
        let mutable = if word("mut") { "mut " } else { "" };
        return Err(Mistake::new(
            TokenRange::of_all(pattern),
            format!("expected the name of a parameter, found `{found}`"),
            format!(
                "write a name, which is how Python knows it: `{mutable}x: {}`",
                shown(of_type)
            ),
        ));
    };
    if of_type.is_empty() {
        let found = format!("the parameter `{name}` has no type");
        return Err(Mistake::new(place, found, format!("write `{name}: In<…>`")));
    }
    Ok(Parameter {
        name: name.clone(),
        of_type: of_type.to_vec(),
    })
}

/// Where the pattern ends: at the first `:` that is not a part of `::`.
pub(super) fn colon(tokens: &[TokenTree]) -> Option<usize> {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == ':' => match mark.spacing() {
                Spacing::Joint if is_punct(tokens.get(at + 1), ':') => at += 2,
                _ => return Some(at),
            },
            _ => at += 1,
        }
    }
    None
}

/// A type in a message: as written, with the layout as XLA writes it.
fn shown(of_type: &[TokenTree]) -> String {
    match (layout::find(of_type), last_segment(of_type)) {
        (Some(layout), Some(name)) => format!("{name}<{}>", layout::shown(&layout)),
        _ => as_written(of_type),
    }
}

/// The last name of a path before its arguments: `In` of `xlayout_kernel::In<…>`.
pub(super) fn last_segment(of_type: &[TokenTree]) -> Option<&Ident> {
    let path = of_type.split(|token| is_punct(Some(token), '<')).next()?;
    match path.last()? {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    }
}

/// Whether this is the type of an array: `In`.
pub(super) fn is_array(name: &Ident) -> bool {
    ["In", "Out", "InOut"].iter().any(|array| name == array)
}

/// The element types of Rust by XLA's names.
pub(super) const ELEMENTS: [(&str, &str); 10] = [
    ("f32", "f32"),
    ("f64", "f64"),
    ("i8", "s8"),
    ("i16", "s16"),
    ("i32", "s32"),
    ("i64", "s64"),
    ("u8", "u8"),
    ("u16", "u16"),
    ("u32", "u32"),
    ("bool", "pred"),
];

/// What cannot be the type of a parameter, and can be seen to be none.
fn beyond_a_call(parameter: &Parameter, named: bool) -> Option<Mistake> {
    let Parameter { name, of_type, .. } = parameter;
    let mistake =
        |found: &str, help: String| Some(Mistake::new(TokenRange::of_all(of_type), found, help));
    let first = of_type.first();
    let pointer = is_punct(first, '*');
    if pointer || is_punct(first, '&') && !is_attribute(of_type) {
        let inner = behind_the_sign(of_type);
        let mutable = of_type[..of_type.len() - inner.len()]
            .iter()
            .any(|token| is_word(Some(token), "mut"));
        let found = match pointer {
            true => "a kernel takes no pointers: `In` and `Out` know where an array ends",
            false => "a kernel takes no reference to this: `In` and `Out` borrow XLA's arrays",
        };
        let scalar = !pointer && !mutable && ELEMENTS.iter().any(|row| as_written(inner) == row.0);
        let help = match scalar {
            true => format!("write `{name}: Scalar<{}>`", as_written(inner)),
            false => format!("write {}", array(name, inner, mutable)),
        };
        return mistake(found, help);
    }
    for (word, what) in [("impl", "`impl Trait`"), ("dyn", "`dyn Trait`")] {
        if is_word(first, word) {
            let found = format!("the type of a parameter is {what}, and XLA passes none");
            return mistake(&found, format!("write {}", array(name, &[], false)));
        }
    }
    if of_type.len() == 1 && is_word(first, "_") {
        let found = "the type of a parameter cannot be left out";
        return mistake(found, format!("write {}", array(name, &[], false)));
    }
    if of_type.iter().any(|token| is_word(Some(token), "Self")) {
        let help = "move it out of the `impl`, and write the type's name".into();
        return mistake(
            "a kernel is a function of a module, where `Self` is no type",
            help,
        );
    }
    if let [.., word, bang, TokenTree::Group(_)] = &of_type[..]
        && is_punct(Some(bang), '!')
        && is_word(Some(word), "layout")
    {
        let found = "the type of a parameter is a layout, and XLA passes arrays";
        let layout = layout_text(of_type);
        let (read, written) = (
            format!("{name}: In<{layout}>"),
            format!("mut {name}: Out<{layout}>"),
        );
        let help = format!("write `{read}` for an argument, `{written}` for a result");
        return mistake(found, help);
    }
    let number = match last_segment(of_type) {
        Some(option) if option == "Option" => last_argument(of_type).unwrap_or_default(),
        _ => of_type,
    };
    if let [TokenTree::Ident(_)] = number
        && is_element(number)
    {
        let (written, number) = (as_written(of_type), as_written(number));
        let scalar = written.replace(&number, &format!("Scalar<{number}>"));
        let found = format!("a number of the call is a `Scalar`, found `{written}`");
        let help = format!("write `{name}: {scalar}`, or `In<…>` for an array");
        return mistake(&found, help);
    }
    if let Some(array) = array_in_an_option(of_type) {
        let found = format!(
            "every call has all arrays of a kernel, and this is an `Option<{}<…>>`",
            last_segment(array)?
        );
        let mutable = if last_segment(array)? == "In" {
            ""
        } else {
            "mut "
        };
        let help = format!(
            "write `{mutable}{name}: {}`; where a call may lack it, write a second kernel without it",
            shown(array)
        );
        return mistake(&found, help);
    }
    let argument = last_segment(of_type)
        .filter(|name| is_array(name))
        .and_then(|_| last_argument(of_type));
    if let Some(element) = argument.filter(|argument| is_element(argument)) {
        let (array, layout) = (last_segment(of_type)?, layout_text(element));
        let mutable = if array == "In" { "" } else { "mut " };
        let found = format!("expected a layout, found `{}`", as_written(element));
        let help = format!("write `{mutable}{name}: {array}<{layout}>`");
        return Some(Mistake::new(TokenRange::of_all(element), found, help));
    }
    let view = last_segment(of_type)
        .filter(|name| ["View", "ViewMut", "ArrayRef"].iter().any(|v| name == v));
    if let Some(view) = view {
        let found = format!("a kernel takes no `{view}`: `In` and `Out` dereference to views");
        let mutable = view.to_string().ends_with("Mut");
        return mistake(&found, format!("write {}", array(name, of_type, mutable)));
    }
    let lifetime = of_type
        .windows(2)
        .find(|pair| is_punct(pair.first(), '\'') && !is_word(pair.get(1), "_") && !named)?;
    Some(Mistake::new(
        TokenRange::of_all(lifetime),
        "what a kernel takes lives as long as the call, and the lifetime has no name",
        "leave it out",
    ))
}

/// `In<…>` of `Option<In<…>>`.
fn array_in_an_option(of_type: &[TokenTree]) -> Option<&[TokenTree]> {
    let array = last_segment(of_type)
        .filter(|name| *name == "Option")
        .and_then(|_| last_argument(of_type))?;
    last_segment(array).is_some_and(is_array).then_some(array)
}

/// `f32`, `[f32; 3]`, `[f32]`: what an array holds, and no layout of it.
pub(super) fn is_element(of_type: &[TokenTree]) -> bool {
    match of_type {
        [TokenTree::Group(array)] => array.delimiter() == Delimiter::Bracket,
        [name] => ELEMENTS.iter().any(|row| is_word(Some(name), row.0)),
        _ => false,
    }
}

/// `&[i64]` or `&str`, which XLA passes by the parameter's name.
fn is_attribute(of_type: &[TokenTree]) -> bool {
    match of_type {
        [_, TokenTree::Group(slice)] => {
            let mut inside = see_through(slice.stream()).into_iter();
            slice.delimiter() == Delimiter::Bracket && !inside.any(|t| is_punct(Some(&t), ';'))
        }
        [_, quote, _, rest @ ..] if is_punct(Some(quote), '\'') => {
            is_attribute(&[&of_type[..1], rest].concat())
        }
        [_, word] => is_word(Some(word), "str"),
        _ => false,
    }
}

/// The type behind `&'a mut ` or `*const `.
fn behind_the_sign(of_type: &[TokenTree]) -> &[TokenTree] {
    let mut inner = &of_type[1..];
    if let [quote, _, rest @ ..] = inner
        && is_punct(Some(quote), '\'')
    {
        inner = rest;
    }
    match inner {
        [word, rest @ ..] if is_word(Some(word), "mut") || is_word(Some(word), "const") => rest,
        inner => inner,
    }
}

/// The parameter to write for an array.
fn array(name: &Ident, of_type: &[TokenTree], mutable: bool) -> String {
    let layout = layout_text(of_type);
    match mutable {
        true => {
            format!("`mut {name}: Out<{layout}>`, or `InOut` where the kernel reads it, too")
        }
        false => format!("`{name}: In<{layout}>`"),
    }
}

/// The layout of what somebody wrote for an array: one that is visible, the last argument of a view,
/// or one made from the elements of a slice.
fn layout_text(of_type: &[TokenTree]) -> String {
    let element_type = |tokens: &[TokenTree]| {
        let element = as_written(tokens);
        let row = ELEMENTS.iter().find(|row| row.0 == element);
        row.map_or("f32", |row| row.1)
    };
    if let Some(layout) = layout::find(of_type) {
        return layout::shown(&layout);
    }
    if let [TokenTree::Group(slice)] = of_type
        && slice.delimiter() == Delimiter::Bracket
    {
        let inside = see_through(slice.stream());
        let mut parts = inside.splitn(2, |token| is_punct(Some(token), ';'));
        let element = element_type(parts.next().unwrap_or_default());
        let size = parts.next().map_or_else(|| "?".into(), as_written);
        return format!("layout!({element}[{size}])");
    }
    match last_argument(of_type) {
        Some(layout) => as_written(layout),
        None => format!("layout!({}[?])", element_type(of_type)),
    }
}

/// `A` of `View<f32, A>`.
fn last_argument(of_type: &[TokenTree]) -> Option<&[TokenTree]> {
    let open = of_type
        .iter()
        .position(|token| is_punct(Some(token), '<'))?;
    let (_, arguments) = of_type[open + 1..].split_last()?;
    split(arguments).pop()
}
