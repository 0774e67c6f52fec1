//! The description of a shared object's kernels, which Python reads.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char};
use std::ffi::CString;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};
use xlayout_core::{ArrayShape, ElementType};
use xlayout_interop::numpy_name;

use crate::kernel::{BufferSpec, Computed, Declared, Form, Independent, Kernel, Kind, Size};
use crate::{abi, declaration, without_xla};

/// A kernel of this shared object. [`submit!`](crate::__private::submit) registers it.
#[derive(Debug)]
pub struct Registered(pub &'static Kernel);

inventory::collect!(Registered);

/// The kernels of the shared object that this is linked into, as JSON. The exported function
/// `xlayout_kernels` returns it.
///
/// ```json
/// {"version": 8, "ffi_api": [0, 3], "api": 140234321, "kernels": [{"name": "scale", "handler": 140234567, …}]}
/// ```
pub fn description() -> &'static CStr {
    static TEXT: OnceLock<CString> = OnceLock::new();
    TEXT.get_or_init(|| {
        let kernels = inventory::iter::<Registered>();
        let mut kernels: Vec<&Kernel> = kernels.into_iter().map(|found| found.0).collect();
        // The linker sorts them in no particular way.
        kernels.sort_by_key(|kernel| {
            let source = &kernel.source;
            (source.name, source.file, source.line, kernel.combination)
        });
        let text = json!({
            "version": 8,
            "ffi_api": [abi::VERSION.0, abi::VERSION.1],
            "api": without_xla::api() as usize,
            "kernels": kernels.into_iter().map(describe).collect::<Vec<_>>(),
        });
        CString::new(text.to_string())
            .unwrap_or_else(|_| unreachable!("JSON writes a NUL as an escape"))
    })
}

/// Python's helper calls this function. The text lives as long as the shared object is loaded.
// SAFETY: the name is this project's own, and no other function of it has it.
#[unsafe(no_mangle)]
#[expect(unreachable_pub, reason = "it is reached by its symbol")]
pub extern "C" fn xlayout_kernels() -> *const c_char {
    description().as_ptr()
}

fn describe(kernel: &Kernel) -> Value {
    let source = &kernel.source;
    let handlers: Vec<_> = source.handlers.here().collect();
    let Some((best, handler)) = handlers.last().copied() else {
        unreachable!("every processor runs the baseline")
    };
    let handlers: Map<String, Value> = (handlers.iter())
        .map(|(isa, handler)| (isa.name().into(), (*handler as usize).into()))
        .collect();
    json!({
        "name": source.name,
        "doc": source.doc,
        "source": format!("{}:{}", source.file, source.line),
        "module": source.module,
        "handler": handler as usize,
        "isa": best.name(),
        "handlers": handlers,
        "combination": [kernel.combination.0, kernel.combination.1],
        "batch": source.batch,
        "vjp": source.vjp,
        "declaration": declaration::number(&declaration::text(kernel)),
        "parameters": (source.parameters.iter().enumerate())
            .map(|(p, declared)| parameter(&kernel.independent, p, declared))
            .collect::<Vec<_>>(),
    })
}

fn parameter(independent: &Independent, number: usize, declared: &Declared) -> Value {
    let mut fields = match &declared.kind {
        Kind::Context => json!({"kind": "context"}),
        Kind::Attribute(spec) => {
            let (kind, dtype, words) = match spec.form {
                Form::Scalar(dtype) => ("scalar", Some(dtype), None),
                Form::Array(dtype) => ("array", Some(dtype), None),
                Form::String(words) => ("string", None, Some(words())),
            };
            json!({
                "kind": kind,
                "element_type": dtype.map(ElementType::name),
                "number": dtype.map(ElementType::number),
                "numpy_type": dtype.and_then(numpy_name),
                "words": words,
                "optional": spec.optional,
            })
        }
        Kind::Buffer(direction, spec) => {
            let dtype = spec.element_type;
            let dims = 0..spec.dims.len();
            let major_to_minor: Vec<&i64> = spec.minor_to_major.iter().rev().collect();
            let (sharding, whole) = spec.sharding.map(|sharding| sharding()).unzip();
            let factors = |is_result| {
                let name = |d| independent.name(number, is_result, d);
                dims.clone().map(name).collect::<Vec<_>>()
            };
            let is_declared = independent.is_declared();
            let is_argument = is_declared && direction.is_argument();
            let is_result = is_declared && direction.is_result();
            json!({
                "kind": direction.name(),
                "element_type": dtype.name(),
                "number": dtype.number(),
                "numpy_type": numpy_name(dtype),
                "shape": shape(spec, spec.shape),
                "converted": spec.converted.map(|converted| shape(spec, converted)),
                "by_items": spec.by_items.then_some(true),
                "dimensions": dims.clone().map(|d| dimension(spec.size(d))).collect::<Vec<_>>(),
                "bits": spec.bits,
                "minor_to_major": spec.minor_to_major,
                "major_to_minor": major_to_minor,
                "sharding": sharding,
                "global_shape": whole.map(|whole| whole.to_string()),
                "argument_factors": is_argument.then(|| factors(false)),
                "result_factors": is_result.then(|| factors(true)),
            })
        }
    };
    fields["name"] = declared.name.into();
    if let Value::Object(fields) = &mut fields {
        // What the parameter does not have.
        fields.retain(|_, value| !value.is_null());
    }
    fields
}

fn dimension(size: Size) -> Value {
    match size {
        Size::Static(n) => n.into(),
        Size::Anonymous(d) => format!("?{d}").into(),
        Size::Named(name) => name.into(),
        Size::Computed(text) => sum(Computed(text)),
        Size::Free => Value::Null,
    }
}

/// A sum as a list of factors and names. A term that is a number has no name.
fn sum(mut rest: Computed) -> Value {
    let mut terms = Vec::new();
    while let Some((factor, name, behind)) = rest.term() {
        terms.push(json!([factor, name]));
        rest = behind;
    }
    terms.into()
}

/// XLA's text of the shape, with the names of sizes: `f32[?M,128]{1,0}`.
fn shape(spec: &BufferSpec, shape: fn() -> ArrayShape) -> String {
    let text = shape().to_string();
    let (Some(open), Some(close)) = (text.find('['), text.find(']')) else {
        unreachable!("the text of an array has its dimensions in brackets")
    };
    let sizes = declaration::sizes(spec);
    format!("{}{sizes}{}", &text[..=open], &text[close..])
}
