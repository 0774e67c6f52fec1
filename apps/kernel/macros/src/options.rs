//! The options of the attribute, such as `#[kernel(name = "…", batch)]`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{LitStr, Path, Token};

use crate::mistake::{Mistakes, mistake};
use crate::tokens::{as_written, is_punct, see_through};
use crate::types::Types;

/// What the attribute says.
#[derive(Default)]
pub(crate) struct Options {
    /// The name for XLA and Python, where it is not the function's.
    pub(crate) name: Option<LitStr>,
    pub(crate) batch: bool,
    /// Which dimensions are independent: one list of names of sizes, or the two sides of a rule,
    /// with a list for each array. Empty where nothing is said.
    pub(crate) independent: Vec<Vec<Vec<String>>>,
    /// The name of the kernel that computes the derivatives. Empty where none is named.
    pub(crate) vjp: String,
    /// The element types for which the function is written.
    pub(crate) types: Option<Types>,
    /// Compile the body for the compiler's target only.
    pub(crate) baseline: bool,
    /// The path of the crate `xlayout-kernel`.
    pub(crate) runtime: TokenStream,
}

const NAMES: &str = "name batch independent vjp types isa crate";
const HELP: &str = "the options are `name = \"…\"`, `batch`, `independent = \"…\"`, \
    `vjp = kernel`, `types(T = f32, f64)`, `isa = \"baseline\"` and `crate = path`";

pub(crate) fn read(tokens: TokenStream, mistakes: &mut Mistakes) -> Options {
    let mut options = Options {
        runtime: quote!(::xlayout_kernel),
        ..Options::default()
    };
    let mut seen: Vec<Ident> = Vec::new();
    let tokens: Vec<_> = see_through(tokens).into_iter().collect();
    let entries = tokens.split(|token| is_punct(Some(token), ','));
    for entry in entries.filter(|entry| !entry.is_empty()) {
        let read = |input: ParseStream<'_>| {
            options.read(input, &mut seen)?;
            let rest: Vec<_> = input.parse::<TokenStream>()?.into_iter().collect();
            no_comma(&entry[..entry.len() - rest.len()], &rest)
        };
        mistakes.extend(read.parse2(TokenStream::from_iter(entry.to_vec())).err());
    }
    options
}

impl Options {
    /// Reads one option. What follows it may be another one.
    fn read(&mut self, input: ParseStream<'_>, seen: &mut Vec<Ident>) -> syn::Result<()> {
        let Ok(word) = input.call(Ident::parse_any) else {
            let entry: TokenStream = input.parse()?;
            let found = format!("expected an option, found `{}`", as_written(&entry));
            return Err(mistake(entry, found, HELP));
        };
        if seen.contains(&word) {
            let found = format!("`{word}` is given twice");
            return Err(mistake(word, found, "keep one of them"));
        }
        seen.push(word.clone());
        match word.to_string().as_str() {
            "name" => self.name = Some(name_of_kernel(&word, input)?),
            "independent" => self.independent = independent(&word, input)?,
            "vjp" => self.vjp = vjp(&word, input)?,
            "types" => self.types = Some(Types::read(&word, input)?),
            "isa" => self.baseline = is_baseline(&word, input)?,
            "batch" => self.batch = flag(&word, input)?,
            "crate" => self.runtime = crate_path(&word, input)?,
            name => return Err(unknown(&word, name)),
        }
        Ok(())
    }
}

/// Refuses what follows an option without a comma.
fn no_comma(option: &[TokenTree], rest: &[TokenTree]) -> syn::Result<()> {
    let ([word, value @ ..], [next, ..]) = (option, rest) else {
        return Ok(());
    };
    let option = match value {
        [equals, value @ ..] if is_punct(Some(equals), '=') => {
            format!("{word} = {}", as_written(quote!(#(#value)*)))
        }
        list => format!("{word}{}", as_written(quote!(#(#list)*))),
    };
    let found = format!("there is no comma after `{option}`");
    Err(mistake(next, found, format!("write `{option}, {next}`")))
}

fn unknown(word: &Ident, name: &str) -> syn::Error {
    let found = format!("unknown option `{name}`");
    let begin = name.to_lowercase();
    let is_near = |option: &&str| option.get(..2) == begin.get(..2);
    match NAMES.split(' ').find(is_near) {
        Some(option) => mistake(word, found, format!("did you mean `{option}`? {HELP}")),
        None => mistake(word, found, HELP),
    }
}

/// What is behind the `=` of an option, as `read` reads it. `what` says what it is, `form` how it
/// is written, and `help` what to write in the place of something else, where that is not the form.
fn value<T: ToTokens>(
    word: &Ident,
    input: ParseStream<'_>,
    read: fn(ParseStream<'_>) -> syn::Result<T>,
    (what, form): (&str, &str),
    help: impl Fn(&TokenStream) -> Option<String>,
) -> syn::Result<T> {
    let form = format!("write `{form}`");
    let Some(equals) = input.parse::<Option<Token![=]>>()? else {
        return Err(mistake(word, format!("no `=` follows `{word}`"), form));
    };
    let written: TokenStream = input.fork().parse()?;
    if written.is_empty() {
        let found = format!("nothing follows the `=` of `{word}`");
        return Err(mistake(equals, found, form));
    }
    match input.call(read) {
        Ok(value) if input.is_empty() || input.peek(Ident::peek_any) => Ok(value),
        _ => {
            let found = format!("expected {what}, found `{}`", as_written(&written));
            let help = help(&written).unwrap_or(form);
            Err(mistake(written, found, help))
        }
    }
}

/// A text in quotes.
fn text(word: &Ident, input: ParseStream<'_>, what: &str, form: &str) -> syn::Result<LitStr> {
    let what = format!("{what} in quotes");
    value(word, input, Parse::parse, (&what, form), |written| {
        let name = Ident::parse_any.parse2(written.clone()).ok()?;
        Some(format!("write `{word} = \"{name}\"`"))
    })
}

/// `name = "scale"`.
fn name_of_kernel(word: &Ident, input: ParseStream<'_>) -> syn::Result<LitStr> {
    let text = text(word, input, "a name", "name = \"…\"")?;
    let name = text.value();
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(letter) || name.starts_with(char::is_numeric) {
        let found = format!("{} is no name of a function", text.token());
        let help = "write letters, digits and `_`: Python calls it as `kernels.name(…)`";
        return Err(mistake(text, found, help));
    }
    Ok(text)
}

/// `isa = "baseline"`.
fn is_baseline(word: &Ident, input: ParseStream<'_>) -> syn::Result<bool> {
    let text = text(word, input, "`\"baseline\"`", "isa = \"baseline\"")?;
    if text.value() == "baseline" {
        return Ok(true);
    }
    let found = format!("expected `\"baseline\"`, found `{}`", text.token());
    let help = "write `isa = \"baseline\"` to compile the body once; without `isa` it is compiled \
        for every set of instructions, and the processor decides when the library is loaded";
    Err(mistake(text, found, help))
}

/// `independent = "M"`, `independent = "i j, j -> i"`.
fn independent(word: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<Vec<Vec<String>>>> {
    let form = "independent = \"i _, _ -> i\"";
    let text = text(word, input, "names of sizes, or a rule,", form)?;
    let rule = text.value();
    let wrong = |found: String, help| Err(mistake(&text, found, help));
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_ ,->".contains(c);
    if let Some(odd) = rule.chars().find(|c| !allowed(*c)) {
        let token = text.token();
        let found = format!("a rule has names, `_`, `,` and `->`, and {token} has `{odd}`");
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
fn vjp(word: &Ident, input: ParseStream<'_>) -> syn::Result<String> {
    let form = ("the name of a kernel", "vjp = kernel");
    let help = "write the name of the kernel of this library that computes the derivatives, \
        without quotes and without a path: `vjp = softmax_grad`";
    let name = value(word, input, Ident::parse_any, form, |_| {
        Some(help.to_owned())
    })?;
    Ok(name.unraw().to_string())
}

/// `batch`.
fn flag(word: &Ident, input: ParseStream<'_>) -> syn::Result<bool> {
    if input.is_empty() || input.peek(Ident::peek_any) {
        return Ok(true);
    }
    let found = format!("`{word}` takes no value");
    let help = format!("write `{word}` alone, or leave it out");
    Err(mistake(input.parse::<TokenStream>()?, found, help))
}

/// `crate = path::to::xlayout_kernel`.
fn crate_path(word: &Ident, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let form = ("a path", "crate = path::to::xlayout_kernel");
    let path = value(word, input, Path::parse_mod_style, form, |written| {
        let path = syn::parse2::<LitStr>(written.clone()).ok()?.value();
        Some(format!("write it without quotes: `crate = {path}`"))
    })?;
    Ok(path.into_token_stream())
}
