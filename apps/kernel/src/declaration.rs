//! What a kernel declares, as one text and as a number.
//!
//! A compiled program contains the layouts that it was compiled with, and finds a kernel by its
//! name alone. The number is a part of the name that XLA knows (`xlayout.jax` puts it there), so
//! that a program that was compiled with other layouts finds no kernel. Otherwise it would find one
//! that reads its arrays wrongly.

use core::fmt::Write as _;

use xlayout_words::joined;

use crate::kernel::{BufferSpec, Form, Kernel, Kind};

/// The declaration of a kernel: arrays in sequence, attributes by name.
///
/// `x: in f32[?M,128]{1,0}; y: out f32[?M,128]{1,0}; a = f32`
///
/// Every character matters: a change of the text breaks compiled programs.
pub(crate) fn text(kernel: &Kernel) -> String {
    let mut parts = Vec::new();
    if kernel.source.batch {
        parts.push("batch".to_owned());
    }
    for declared in kernel.source.parameters {
        if let Kind::Buffer(direction, spec) = &declared.kind {
            let direction = direction.name().replace('_', " ");
            parts.push(format!("{}: {direction} {}", declared.name, array(spec)));
        }
    }
    for k in 0..kernel.attributes_len {
        let declared = kernel.attribute(k);
        if let Kind::Attribute(spec) = &declared.kind {
            let value = match spec.form {
                Form::Scalar(dtype) => dtype.name().to_owned(),
                Form::Array(dtype) => format!("[{}]", dtype.name()),
                Form::String(_) => "string".to_owned(),
            };
            let optional = if spec.optional { "?" } else { "" };
            parts.push(format!("{} = {value}{optional}", declared.name));
        }
    }
    parts.join("; ")
}

fn array(spec: &BufferSpec) -> String {
    let name = spec.element_type.name();
    let sizes = sizes(spec);
    let minor_to_major = joined(spec.minor_to_major, ",");
    let mut text = format!("{name}[{sizes}]{{{minor_to_major}");
    if !spec.bits.is_multiple_of(8) {
        // Writing to a `String` does not fail.
        let _ = write!(text, ":E({})", spec.bits);
    }
    text.push('}');
    if let Some(sharding) = spec.sharding {
        let (sharding, whole) = sharding();
        let _ = write!(text, " of {whole} {sharding}");
    }
    text
}

/// The sizes of an array, as `layout!` writes them: `?M,128`.
pub(crate) fn sizes(spec: &BufferSpec) -> String {
    joined((0..spec.dims.len()).map(|d| spec.size(d)), ",")
}

/// The text as a number of 64 bits, in 16 hexadecimal digits: FNV-1a.
///
/// Source: <http://www.isthe.com/chongo/tech/comp/fnv/>. It is written here, since the standard
/// library's hash may differ from version to version.
pub(crate) fn number(text: &str) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::number;

    /// The test vectors of the hash's authors.
    #[test]
    fn the_number_is_fnv_1a() {
        assert_eq!(number(""), "cbf29ce484222325");
        assert_eq!(number("a"), "af63dc4c8601ec8c");
        assert_eq!(number("foobar"), "85944171f73967e8");
    }
}
