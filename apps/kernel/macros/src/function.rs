//! The head of the function: what a kernel may have, and what it may not.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, GenericParam, LitStr, Meta, Signature, Visibility};

use crate::mistake::{Mistakes, mistake};
use crate::outcome;
use crate::parameter::{self, Parameter};
use crate::tokens::{as_written, is_punct, is_word};

/// The help for the attribute on anything but a function.
const EXAMPLE: &str = "write it on a function: \
    `fn double(x: In<layout!(f32[?])>, mut y: Out<layout!(f32[?])>) { … }`";

/// A function, in one combination of the layouts of its parameters.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    visibility: Visibility,
    pub(crate) signature: Signature,
    /// A block, which is not read, or `;`.
    pub(crate) body: TokenTree,
    /// All parameters, where none has a mistake.
    pub(crate) parameters: Vec<Parameter>,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let item: TokenStream = input.fork().parse()?;
        let of_item = |error| no_function(item).unwrap_or(error);
        Ok(Self {
            attributes,
            visibility,
            signature: input.parse().map_err(of_item)?,
            body: input.parse()?,
            parameters: Vec::new(),
        })
    }
}

/// Reads and checks a function. With mistakes, it becomes one that leads to no further errors of
/// the compiler.
pub(crate) fn read(item: TokenStream, mistakes: &mut Mistakes) -> syn::Result<Function> {
    let mut function: Function = syn::parse2(item)?;
    function.check(mistakes);
    Ok(function)
}

impl Function {
    /// The function as it was, or as it was repaired.
    pub(crate) fn written(&self) -> TokenStream {
        let Self {
            attributes,
            visibility,
            signature,
            body,
            ..
        } = self;
        quote!(#(#attributes)* #visibility #signature #body)
    }

    /// The function in each combination of layouts, first with the types as they are written.
    pub(crate) fn combinations(&self) -> Vec<Self> {
        let mut functions = vec![self.clone()];
        for (at, parameter) in self.parameters.iter().enumerate() {
            let with_the_first = functions.clone();
            for (chosen, of_type) in parameter.types.iter().enumerate().skip(1) {
                functions.extend(with_the_first.iter().cloned().map(|mut function| {
                    function.parameters[at].chosen = chosen;
                    if let FnArg::Typed(argument) = &mut function.signature.inputs[at] {
                        *argument.ty = of_type.clone();
                    }
                    function
                }));
            }
        }
        functions
    }

    fn check(&mut self, mistakes: &mut Mistakes) {
        self.check_attributes(mistakes);
        self.check_words(mistakes);
        let generic = self.refuse_generics();
        mistakes.extend(generic.clone());
        for argument in &mut self.signature.inputs {
            match parameter::read(argument, generic.as_ref(), mistakes) {
                Ok(parameter) => self.parameters.push(parameter),
                Err(found) => mistakes.push(found),
            }
        }
        mistakes.extend(refuse_combinations(&mut self.parameters));
        if let Some(variadic) = self.signature.variadic.take() {
            let found = "a kernel has a fixed number of parameters";
            let help = "write each with its name and type";
            mistakes.push(mistake(variadic.dots, found, help));
        }
        mistakes.extend(outcome::refuse(&self.signature.output, &self.parameters));
        let clause = &self.signature.generics.where_clause;
        if let (Some(clause), None) = (clause, generic) {
            let found = "a kernel has no `where`: its types are known";
            mistakes.push(mistake(clause.where_token, found, "remove it"));
        }
        if is_punct(Some(&self.body), ';') {
            let help = "write `{ … }` in the place of `;`";
            mistakes.push(mistake(&self.body, "the kernel has no body", help));
        }
        if mistakes.is_empty() && self.parameters.iter().all(Parameter::is_no_result) {
            let name = &self.signature.ident;
            let found = format!("the kernel `{name}` has no results");
            let help = "write each as a parameter: `mut y: Out<layout!(f32[8])>`";
            mistakes.push(mistake(name, found, help));
        }
    }

    fn check_attributes(&self, mistakes: &mut Mistakes) {
        for Attribute { meta, .. } in &self.attributes {
            let path = as_written(meta.path());
            if path == "target_feature" {
                let found = "a kernel runs on every processor";
                let help = "call a function with `#[target_feature]` from the kernel, \
                     where `is_x86_feature_detected!` says that it may run";
                mistakes.push(mistake(meta.path(), found, help));
            }
            if path == "kernel" || path.ends_with("xlayout_kernel::kernel") {
                let found = "the function is a kernel already";
                let help = "write `#[kernel]` once, with all options";
                mistakes.push(mistake(meta, found, help));
            }
        }
    }

    /// Refuses the words before `fn`.
    fn check_words(&mut self, mistakes: &mut Mistakes) {
        let mut refuse = |word: &dyn ToTokens, found: &str, help: &str| {
            let word = word.to_token_stream();
            let is_there = !word.is_empty();
            mistakes.extend(is_there.then(|| mistake(word, found, help)));
        };
        let signature = &mut self.signature;
        let found = "a kernel is not `const`: it runs when XLA calls it";
        refuse(&signature.constness, found, "remove `const`");
        let found = "a kernel is not `async`: XLA waits until it returns";
        let help = "remove `async`; work is shared among threads by a parameter of the type `Pool`";
        // An `async fn` wants to know the lifetimes of its parameters.
        refuse(&signature.asyncness.take(), found, help);
        let found = "a kernel cannot be `unsafe`: XLA does not know \
            what a caller of unsafe code must ensure";
        let help = "remove `unsafe`, and write `unsafe { … }` with its reason in the body";
        refuse(&signature.safety, found, help);
        let found = "a kernel is a function of Rust: `#[kernel]` writes what XLA calls";
        refuse(&signature.abi, found, "remove `extern`");
    }

    /// Refuses parameters between angle brackets.
    fn refuse_generics(&self) -> Option<syn::Error> {
        let generics = &self.signature.generics;
        let (kind, help) = match generics.params.first()? {
            GenericParam::Lifetime(_) => (
                "lifetime parameters",
                "remove them: `In`, `Out` and `InOut` need none",
            ),
            GenericParam::Const(_) => (
                "constant parameters, and XLA gives it none",
                "write a `?` in the layouts for a size that is known at run time only; \
                 or one kernel for each size, which calls the generic function",
            ),
            GenericParam::Type(_) => (
                "type parameters, and XLA gives it none",
                "write the types; or one kernel for each type, which calls the generic function",
            ),
        };
        let found = format!("the kernel `{}` has {kind}", self.signature.ident);
        Some(mistake(generics, found, help))
    }

    /// Each `#[cfg(…)]`, where another macro left one.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Attribute> {
        let attributes = self.attributes.iter();
        attributes.filter(|attribute| attribute.path().is_ident("cfg"))
    }

    /// The text of the documentation.
    pub(crate) fn doc(&self) -> String {
        let mut text = String::new();
        for attribute in &self.attributes {
            if let Meta::NameValue(pair) = &attribute.meta
                && pair.path.is_ident("doc")
                && let Ok(lines) = syn::parse2::<LitStr>(pair.value.to_token_stream())
            {
                text = text + &lines.value() + "\n";
            }
        }
        // `/// text` is `#[doc = " text"]`.
        let is_indented = |line: &str| line.starts_with(' ') || line.trim().is_empty();
        let indent = usize::from(text.lines().all(is_indented));
        let plain = |line: &str| line.get(indent..).unwrap_or_default().trim_end().to_owned();
        let lines: Vec<_> = text.lines().map(plain).collect();
        lines.join("\n").trim_matches('\n').to_owned()
    }
}

/// The item that the attribute is on, if it is not a function.
fn no_function(item: TokenStream) -> Option<syn::Error> {
    let item: Vec<_> = item.into_iter().collect();
    let is_name = |token: &&TokenTree| matches!(token, TokenTree::Ident(_));
    // `extern "C" fn`
    let is_modifier =
        |token: &&TokenTree| matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
    let mut words = item.iter().take_while(is_modifier);
    if words.any(|word| is_word(Some(word), "fn")) {
        return None;
    }
    let is_unsafe = is_word(item.first(), "unsafe");
    let item = &item[usize::from(is_unsafe)..];
    let kind = item.first().map_or_else(String::new, ToString::to_string);
    let found = match kind.as_str() {
        "mod" => "a module".to_owned(),
        _ if is_punct(item.get(1), '!') => format!("a call of `{kind}!`"),
        _ => format!("`{kind}`"),
    };
    let help = match kind.as_str() {
        "mod" => "write it on each function of the module that is a kernel",
        "impl" | "trait" => {
            "a kernel is a function of a module: write it outside, and the attribute on it"
        }
        _ => EXAMPLE,
    };
    let place = item.iter().take_while(is_name).take(2);
    let found = format!("expected a function, found {found}");
    Some(mistake(quote!(#(#place)*), found, help))
}

/// The most combinations of layouts: each is compiled on its own.
const MOST: usize = 8;

/// Refuses too many combinations, and forgets them.
fn refuse_combinations(parameters: &mut [Parameter]) -> Option<syn::Error> {
    let counts = parameters.iter().map(|parameter| parameter.types.len());
    let count = counts.fold(1, usize::saturating_mul);
    if count <= MOST {
        return None;
    }
    let mut several = parameters
        .iter()
        .filter(|parameter| parameter.types.len() > 1);
    let Parameter { name, types, .. } = several.next()?;
    let of_type = &types[0];
    let found = format!("the function would be compiled for {count} combinations of layouts");
    let help = format!("leave out layouts until there are {MOST} combinations at most");
    let refused = mistake(quote!(#name #of_type), found, help);
    for parameter in parameters {
        parameter.types.truncate(1);
    }
    Some(refused)
}
