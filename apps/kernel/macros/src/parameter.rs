//! One parameter: a name, and a type that the crate `xlayout-kernel` knows.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, FnArg, Pat, PatIdent, PointerMutability, Type};

use crate::mistake::{Mistakes, mistake};
use crate::path::{arguments, last_name, layout_of_array};
use crate::tokens::{as_written, is_punct, is_word, see_through};
use crate::{also, layout};

#[derive(Clone)]
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    /// The type as it is written, and the same with each layout that `also` names.
    pub(crate) types: Vec<Type>,
    /// Which of the types this is. XLA must tell it apart from those before it.
    pub(crate) chosen: usize,
}

impl Parameter {
    pub(crate) fn of_type(&self) -> &Type {
        &self.types[self.chosen]
    }

    /// Whether this is not a result: a type that is seen to be another.
    pub(crate) fn is_no_result(&self) -> bool {
        let of_type = self.of_type();
        match last_name(of_type).as_str() {
            "In" | "Scalar" | "Word" | "Pool" | "Context" | "DeviceOrdinal" | "RunId" => true,
            "Option" => !in_an_option(of_type).is_some_and(is_written),
            _ => matches!(of_type, Type::Reference(_)),
        }
    }
}

/// Reads a parameter, and takes the attributes `also` off it. A wrong type becomes one that the
/// compiler says nothing more about; so does each type where the kernel is generic.
pub(crate) fn read(
    argument: &mut FnArg,
    generic: Option<&syn::Error>,
    mistakes: &mut Mistakes,
) -> syn::Result<Parameter> {
    let argument = match argument {
        FnArg::Typed(argument) => argument,
        FnArg::Receiver(receiver) => {
            let found = "a kernel is a function of a module and has no `self`";
            let help = "write what it needs as parameters: \
                arrays `In<…>` and `Out<…>`, numbers `Scalar<…>`";
            return Err(mistake(receiver, found, help));
        }
    };
    for attribute in &argument.attrs {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            let found = "a kernel always has the same parameters";
            let help = "write two kernels, each with its `#[cfg(…)]`";
            mistakes.push(mistake(attribute, found, help));
        }
    }
    let is_also = |attribute: &mut Attribute| attribute.path().is_ident("also");
    let of_layouts: Vec<_> = argument.attrs.extract_if(.., is_also).collect();
    let of_type: Type = syn::parse2(see_through(argument.ty.to_token_stream()))?;
    let Pat::Ident(PatIdent {
        by_ref: None,
        subpat: None,
        ident: name,
        ..
    }) = &*argument.pat
    else {
        let pattern = argument.pat.to_token_stream();
        let mut words = pattern.clone().into_iter();
        let is_mutable = words.any(|word| is_word(Some(&word), "mut"));
        let mutable = if is_mutable { "mut " } else { "" };
        let written = as_written(&pattern);
        let shown = shown(&of_type);
        let found = format!("expected the name of a parameter, found `{written}`");
        let help = format!("write a name, which is how Python knows it: `{mutable}x: {shown}`");
        return Err(mistake(pattern, found, help));
    };
    let further = also::types(&of_layouts, &of_type);
    let mut types = vec![of_type];
    match further {
        Ok(further) => types.extend(further),
        Err(found) => mistakes.push(found),
    }
    let refuse = |of_type| {
        let found = mistake_of_type(name, of_type, generic.is_some());
        found.or_else(|| layout::refuse(of_type))
    };
    let found: Vec<_> = types.iter().filter_map(refuse).collect();
    if let Some(wrong) = generic.or(found.first()) {
        let error = wrong.to_compile_error();
        *argument.ty = Type::Verbatim(quote!([(); { #error }]));
    }
    mistakes.extend(found);
    Ok(Parameter {
        name: name.clone(),
        types,
        chosen: 0,
    })
}

/// A type for help: the array and its layout, where the layout is visible.
fn shown(of_type: &Type) -> String {
    match (layout::find(of_type.to_token_stream()), of_type) {
        (Some(layout), Type::Path(_)) => last_name(of_type) + "<" + &layout::shown(&layout) + ">",
        _ => as_written(of_type),
    }
}

/// Whether this is the type of an array that the kernel writes.
fn is_written(of_type: &Type) -> bool {
    matches!(last_name(of_type).as_str(), "Out" | "InOut")
}

/// `T` of `Option<T>`.
fn in_an_option(of_type: &Type) -> Option<&Type> {
    let inner = arguments(of_type).pop();
    inner.filter(|_| last_name(of_type) == "Option")
}

/// The element types of Rust.
pub(crate) const ELEMENTS: [&str; 10] = [
    "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "bool",
];

/// XLA's name of an element type of Rust.
pub(crate) fn of_xla(element: &str) -> String {
    match element {
        "bool" => "pred".to_owned(),
        number => number.replace('i', "s"),
    }
}

/// XLA's name, where this is an element type of Rust.
pub(crate) fn number(of_type: &Type) -> Option<String> {
    let written = as_written(of_type);
    ELEMENTS.contains(&&*written).then(|| of_xla(&written))
}

/// `f32`, `[f32; 3]`, `[f32]`: what an array holds, and no layout of it.
pub(crate) fn is_element(of_type: &Type) -> bool {
    matches!(of_type, Type::Array(_) | Type::Slice(_)) || number(of_type).is_some()
}

/// The mistake of a type that no parameter has, where it can be seen in the text. A generic
/// function is a mistake itself, so nothing is said of its lifetimes.
fn mistake_of_type(name: &Ident, of_type: &Type, is_generic: bool) -> Option<syn::Error> {
    let refuse = |found: String, help: String| Some(mistake(of_type, found, help));
    if let Some(array) = array_of_rust(of_type) {
        let layout = layout_text(array.inner);
        let help = if array.is_mutable {
            let in_place = "`InOut` where the kernel reads it, too";
            format!("write `mut {name}: Out<{layout}>`, or {in_place}")
        } else if matches!(of_type, Type::Reference(_)) && number(array.inner).is_some() {
            format!("write `{name}: Scalar<{}>`", as_written(array.inner))
        } else {
            format!("write `{name}: In<{layout}>`")
        };
        return refuse(array.why_not, help);
    }
    let tokens: Vec<TokenTree> = of_type.to_token_stream().into_iter().collect();
    if tokens.iter().any(|token| is_word(Some(token), "Self")) {
        let found = "a kernel is a function of a module, where `Self` is no type".to_owned();
        let help = "move it out of the `impl`, and write the type's name".to_owned();
        return refuse(found, help);
    }
    if let Type::Macro(_) = of_type
        && last_name(of_type) == "layout"
    {
        let found = "the type of a parameter is a layout, and XLA passes arrays".to_owned();
        let layout = layout_text(of_type);
        let result = format!("`mut {name}: Out<{layout}>` for a result");
        return refuse(
            found,
            format!("write `{name}: In<{layout}>` for an argument, {result}"),
        );
    }
    let inner = in_an_option(of_type).unwrap_or(of_type);
    if number(inner).is_some() {
        let written = as_written(of_type);
        let number = as_written(inner);
        let scalar = written.replace(&number, &format!("Scalar<{number}>"));
        let found = format!("a number of the call is a `Scalar`, found `{written}`");
        let help = format!("write `{name}: {scalar}`, or `In<…>` for an array");
        return refuse(found, help);
    }
    let array = last_name(inner);
    let mutable = if is_written(inner) { "mut " } else { "" };
    if layout_of_array(inner).is_some() && last_name(of_type) == "Option" {
        let found =
            format!("every call has all arrays of a kernel, and this is an `Option<{array}<…>>`");
        let shown = shown(inner);
        let second = "where a call may lack it, write a second kernel without it";
        return refuse(found, format!("write `{mutable}{name}: {shown}`; {second}"));
    }
    if let Some(element) = layout_of_array(of_type).filter(|element| is_element(element)) {
        let found = format!("expected a layout, found `{}`", as_written(element));
        let help = format!("write `{mutable}{name}: {array}<{}>`", layout_text(element));
        return Some(mistake(element, found, help));
    }
    let mut pairs = tokens.windows(2).filter(|_| !is_generic);
    let is_lifetime =
        |pair: &&[TokenTree]| is_punct(pair.first(), '\'') && !is_word(pair.get(1), "_");
    let lifetime = TokenStream::from_iter(pairs.find(is_lifetime)?.to_vec());
    let found = "what a kernel takes lives as long as the call, and the lifetime has no name";
    Some(mistake(lifetime, found, "leave it out"))
}

/// An array as other functions take it.
struct ArrayOfRust<'a> {
    /// Why a kernel does not take it.
    why_not: String,
    /// What a pointer or a reference points to; for others the type itself.
    inner: &'a Type,
    is_mutable: bool,
}

fn array_of_rust(of_type: &Type) -> Option<ArrayOfRust<'_>> {
    let as_it_is = |why_not| ArrayOfRust {
        why_not,
        inner: of_type,
        is_mutable: false,
    };
    let trait_type = |what: &str| {
        as_it_is(format!(
            "the type of a parameter is `{what} Trait`, and XLA passes none"
        ))
    };
    let array = match of_type {
        Type::Ptr(pointer) => ArrayOfRust {
            why_not: "a kernel takes no pointers: `In` and `Out` know where an array ends"
                .to_owned(),
            inner: &pointer.elem,
            is_mutable: matches!(pointer.mutability, PointerMutability::Mut(_)),
        },
        Type::Reference(reference) => {
            let inner = &*reference.elem;
            let is_mutable = reference.mutability.is_some();
            // `&[i64]` or `&str`, which XLA passes by the parameter's name.
            if !is_mutable && (matches!(inner, Type::Slice(_)) || as_written(inner) == "str") {
                return None;
            }
            let why_not = "a kernel takes no reference to this: `In` and `Out` borrow XLA's arrays";
            ArrayOfRust {
                why_not: why_not.to_owned(),
                inner,
                is_mutable,
            }
        }
        Type::ImplTrait(_) => trait_type("impl"),
        Type::TraitObject(_) => trait_type("dyn"),
        Type::Infer(_) => as_it_is("the type of a parameter cannot be left out".to_owned()),
        _ => {
            let name = last_name(of_type);
            let is_mutable = match name.as_str() {
                "View" | "SliceView" | "ArrayRef" => false,
                "ViewMut" | "SliceViewMut" => true,
                _ => return None,
            };
            ArrayOfRust {
                why_not: format!("a kernel takes no `{name}`: `In` and `Out` dereference to views"),
                inner: of_type,
                is_mutable,
            }
        }
    };
    Some(array)
}

/// The layout of what somebody wrote for an array: one that is visible, the last argument of a
/// view, or one made from the elements of a slice.
fn layout_text(of_type: &Type) -> String {
    if let Some(layout) = layout::find(of_type.to_token_stream()) {
        return layout::shown(&layout);
    }
    let (element, size) = match of_type {
        Type::Slice(slice) => (&*slice.elem, "?".to_owned()),
        Type::Array(array) => (&*array.elem, as_written(&array.len)),
        of_type => (of_type, "?".to_owned()),
    };
    match arguments(of_type).pop() {
        Some(layout) => as_written(layout),
        None => {
            let element = number(element).unwrap_or("f32".to_owned());
            format!("layout!({element}[{size}])")
        }
    }
}
