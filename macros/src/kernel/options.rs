//! `#[kernel(name = "…", batch, independent = "…", vjp = kernel, types(T = f32, f64), isa = "baseline", crate = path)]`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use syn::LitStr;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use xlayout_shape::error::nearest;

use super::Mistakes;
use super::types::{self, Types};
use crate::mistake::{Mistake, TokenRange};
use crate::parse::path;
use crate::text::as_written;
use crate::text::is_punct;

/// What the attribute says.
pub(super) struct Options {
    /// The name for XLA and Python, where it is not the function's.
    pub(super) name: Option<LitStr>,
    pub(super) batch: bool,
    /// Which dimensions are independent: one list of names of sizes, or the two sides of a rule, with a list for each
    /// array. Empty where nothing is said.
    pub(super) independent: Vec<Vec<Vec<String>>>,
    /// The name of the kernel that computes the derivatives. Empty where none is named.
    pub(super) vjp: String,
    /// The element types for which the function is written.
    pub(super) types: Option<Types>,
    /// Compile the body for the compiler's target only.
    pub(super) baseline: bool,
    /// The path of the crate `xlayout-kernel`.
    pub(super) runtime: TokenStream,
}

const NAMES: [&str; 7] = [
    "name",
    "batch",
    "independent",
    "vjp",
    "types",
    "isa",
    "crate",
];
const HELP: &str = "the options are `name = \"…\"`, `batch`, `independent = \"…\"`, `vjp = kernel`, \
     `types(T = f32, f64)`, `isa = \"baseline\"` and `crate = path`";

pub(super) fn read(tokens: &[TokenTree], mistakes: &mut Mistakes) -> Options {
    let mut options = Options {
        name: None,
        batch: false,
        independent: Vec::new(),
        vjp: String::new(),
        types: None,
        baseline: false,
        runtime: quote!(::xlayout_kernel),
    };
    let mut seen = Vec::new();
    let entries = tokens.split(|token| is_punct(Some(token), ','));
    for entry in entries.filter(|entry| !entry.is_empty()) {
        let (TokenTree::Ident(word), value) = (&entry[0], &entry[1..]) else {
            let found = format!("expected an option, found `{}`", as_written(entry));
            mistakes.push(Mistake::new(TokenRange::of_all(entry), found, HELP));
            continue;
        };
        let name = word.to_string();
        if seen.contains(&name) {
            let found = format!("`{name}` is given twice");
            mistakes.push(Mistake::new(word.span().into(), found, "keep one of them"));
        }
        let read = match &name[..] {
            "name" => name_of_kernel(word, value).map(|name| options.name = Some(name)),
            "independent" => independent(word, value).map(|sides| options.independent = sides),
            "vjp" => vjp(word, value).map(|name| options.vjp = name),
            "types" => types::read(word, value).map(|types| options.types = Some(types)),
            "isa" => isa(word, value).map(|()| options.baseline = true),
            "batch" => flag(word, value).map(|()| options.batch = true),
            "crate" => crate_path(word, value).map(|path| options.runtime = path),
            _ => Err(unknown(word)),
        };
        mistakes.extend(read.err());
        seen.push(name);
    }
    options
}

fn unknown(word: &Ident) -> Mistake {
    let name = word.to_string();
    let near = nearest(&name.to_lowercase(), NAMES.into_iter().map(|n| (n, n)));
    let found = format!("unknown option `{name}`");
    match near {
        Some(near) => Mistake::new(
            word.span().into(),
            found,
            format!("did you mean `{near}`? {HELP}"),
        ),
        None => Mistake::new(word.span().into(), found, HELP),
    }
}

/// The tokens behind `=`, which are all of this option's.
fn value<'a>(
    word: &Ident,
    tokens: &'a [TokenTree],
    form: &str,
) -> Result<&'a [TokenTree], Mistake> {
    let (found, place) = match tokens {
        [equals, value @ ..] if is_punct(Some(equals), '=') && !value.is_empty() => {
            return Ok(value);
        }
        [equals, ..] if is_punct(Some(equals), '=') => {
            ("nothing follows the `=` of", TokenRange::of(equals))
        }
        _ => ("no `=` follows", TokenRange::from(word.span())),
    };
    let found = format!("{found} `{word}`");
    Err(Mistake::new(place, found, format!("write `{form}`")))
}

fn is_word(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_))
}

/// Whether another option follows without a comma.
pub(super) fn comma(rest: &[TokenTree], before: &str) -> Option<Mistake> {
    let place = TokenRange::of(rest.first().filter(|token| is_word(token))?);
    let (found, next) = (format!("there is no comma after `{before}`"), &rest[0]);
    let help = format!("write `{before}, {next}`");
    Some(Mistake::new(place, found, help))
}

/// A text in quotes: `what` says of what, and `form` how it is written.
fn text(word: &Ident, tokens: &[TokenTree], (what, form): (&str, &str)) -> Result<LitStr, Mistake> {
    let value = value(word, tokens, form)?;
    let Ok(text) = syn::parse2::<LitStr>(value[0].clone().into()) else {
        let written = as_written(value);
        return Err(Mistake::new(
            TokenRange::of_all(value),
            format!("expected {what} in quotes, found `{written}`"),
            match is_word(&value[0]) && value.len() == 1 {
                true => format!("write `{word} = \"{written}\"`"),
                false => format!("write `{form}`"),
            },
        ));
    };
    if let [written, rest @ ..] = value
        && let Some(mistake) = comma(rest, &format!("{word} = {written}"))
    {
        return Err(mistake);
    }
    Ok(text)
}

/// `name = "scale"`.
fn name_of_kernel(word: &Ident, tokens: &[TokenTree]) -> Result<LitStr, Mistake> {
    let text = text(word, tokens, ("a name", "name = \"…\""))?;
    let name = text.value();
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(letter) || name.starts_with(char::is_numeric) {
        return Err(Mistake::new(
            text.span().into(),
            format!("{} is no name of a function", text.token()),
            "write letters, digits and `_`: Python calls it as `kernels.name(…)`",
        ));
    }
    Ok(text)
}

/// `isa = "baseline"`.
fn isa(word: &Ident, tokens: &[TokenTree]) -> Result<(), Mistake> {
    let text = text(word, tokens, ("`\"baseline\"`", "isa = \"baseline\""))?;
    if text.value() == "baseline" {
        return Ok(());
    }
    Err(Mistake::new(
        text.span().into(),
        format!("expected `\"baseline\"`, found `{}`", text.token()),
        "write `isa = \"baseline\"` to compile the body once; without `isa` it is compiled for \
         every set of instructions, and the processor decides when the library is loaded",
    ))
}

/// `independent = "M"`, `independent = "i j, j -> i"`.
fn independent(word: &Ident, tokens: &[TokenTree]) -> Result<Vec<Vec<Vec<String>>>, Mistake> {
    let form = "independent = \"i _, _ -> i\"";
    let text = text(word, tokens, ("names of sizes, or a rule,", form))?;
    let rule = text.value();
    let wrong = |found: String, help| Err(Mistake::new(text.span().into(), found, help));
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_ ,->".contains(c);
    if let Some(odd) = rule.chars().find(|c| !allowed(*c)) {
        let found = format!(
            "a rule has names, `_`, `,` and `->`, and {} has `{odd}`",
            text.token()
        );
        let help = "write one name for each dimension, `_` for one that is not independent: \
            `independent = \"i _, _ -> i\"`; or the names of the sizes: `independent = \"M\"`";
        return wrong(found, help);
    }
    if rule.trim().is_empty() {
        let help = "write the names of the sizes that are independent, as `independent = \"M\"`, \
            or leave the option out";
        return wrong("the rule is empty".to_owned(), help);
    }
    let sides: Vec<_> = rule.split("->").collect();
    if sides.len() > 2 || sides.iter().any(|side| side.contains(['-', '>'])) {
        let found = "the rule of `independent` has one `->`";
        return wrong(found.to_owned(), "write `i _, _ -> i`");
    }
    if sides.len() == 1 && rule.contains(',') {
        let found = "`independent` has a `,` and no `->`";
        let help = "write `M N` for sizes, `i _, _ -> i` for a rule";
        return wrong(found.to_owned(), help);
    }
    let names = |list: &str| list.split_whitespace().map(str::to_owned).collect();
    // Nothing between the commas: no list, or one of an array without dimensions.
    let lists = |side: &&str| match side.trim() {
        "" => Vec::new(),
        side => side.split(',').map(names).collect(),
    };
    Ok(sides.iter().map(lists).collect())
}

/// `vjp = softmax_grad`.
fn vjp(word: &Ident, tokens: &[TokenTree]) -> Result<String, Mistake> {
    let value = value(word, tokens, "vjp = kernel")?;
    match value {
        [TokenTree::Ident(name)] => return Ok(name.unraw().to_string()),
        [name @ TokenTree::Ident(_), rest @ ..] => {
            if let Some(mistake) = comma(rest, &format!("{word} = {name}")) {
                return Err(mistake);
            }
        }
        _ => {}
    }
    Err(Mistake::new(
        TokenRange::of_all(value),
        format!(
            "expected the name of a kernel, found `{}`",
            as_written(value)
        ),
        "write the name of the kernel of this library that computes the derivatives, without quotes and \
         without a path: `vjp = softmax_grad`",
    ))
}

/// `batch`.
fn flag(word: &Ident, tokens: &[TokenTree]) -> Result<(), Mistake> {
    match tokens {
        [] => Ok(()),
        tokens => Err(comma(tokens, &word.to_string()).unwrap_or_else(|| {
            Mistake::new(
                TokenRange::of_all(tokens),
                format!("`{word}` takes no value"),
                format!("write `{word}` alone, or leave it out"),
            )
        })),
    }
}

/// `crate = path::to::xlayout_kernel`.
fn crate_path(word: &Ident, tokens: &[TokenTree]) -> Result<TokenStream, Mistake> {
    let value = value(word, tokens, "crate = path::to::xlayout_kernel")?;
    let whole = |input: ParseStream<'_>| path(input);
    let tokens: TokenStream = value.iter().cloned().collect();
    if whole.parse2(tokens.clone()).is_ok() {
        return Ok(tokens);
    }
    let quoted = syn::parse2::<LitStr>(value[0].clone().into());
    let help = match quoted.ok().filter(|_| value.len() == 1) {
        Some(quoted) => format!("write it without quotes: `crate = {}`", quoted.value()),
        None => "write `crate = path::to::xlayout_kernel`".into(),
    };
    let found = format!("expected a path, found `{}`", as_written(value));
    Err(Mistake::new(TokenRange::of_all(value), found, help))
}
