//! Types of MLIR, which people paste from StableHLO.

use xlayout::PrimitiveType;
use xlayout::interop::MemRef;

use crate::failure::{Code, Failure, TextSpan};

/// The shape that a type of MLIR means: `tensor<2x3xf32>` has no layout, `memref<…>` may have one. `None` if it is no such type.
///
/// # Errors
/// If the type has no shape of XLA's.
pub(crate) fn shape(origin: &str, text: &str) -> Option<Result<String, Failure>> {
    let trimmed = text.trim();
    let kind = ["tensor", "memref", "vector"].into_iter().find(|kind| {
        trimmed
            .strip_prefix(kind)
            .is_some_and(|rest| rest.starts_with('<'))
    })?;
    let failure = |why: String| {
        Failure::new(Code::Usage, why).at(TextSpan::of_argument(origin, text, 0..text.len()))
    };
    let found = match kind {
        "memref" => memref(trimmed)
            .map_err(|why| failure(format!("this type of MLIR is no array of XLA's: {why}"))),
        _ => tensor(&trimmed[kind.len()..])
            .ok_or_else(|| failure(format!("this `{kind}<…>` of MLIR is no array of XLA's"))),
    };
    Some(found.map_err(|failure| {
        failure.help("write the element type, the sizes and the layout: 'f32[2,3]{1,0}'")
    }))
}

/// `memref<2x3xf32, strided<[1, 2]>>`, with its layout.
fn memref(text: &str) -> Result<String, String> {
    let memref = text.parse::<MemRef>().map_err(|why| why.to_string())?;
    let shape = memref.to_shape().map_err(|why| why.to_string())?;
    Ok(shape.to_string())
}

/// `<2x?xf32>` or `<2x3xf32, #encoding>`: MLIR's tensors have no layout.
fn tensor(text: &str) -> Option<String> {
    let inside = text.strip_prefix('<')?.strip_suffix('>')?;
    let (shape, _) = inside.split_once(',').unwrap_or((inside, ""));
    let mut sizes = Vec::new();
    let mut rest = shape.trim();
    while let Some((size, behind)) = rest.split_once('x') {
        let is_size = size == "?" || size.parse::<i64>().is_ok_and(|size| size >= 0);
        if !is_size {
            break;
        }
        sizes.push(size);
        rest = behind;
    }
    Some(format!("{}[{}]", element_type(rest)?, sizes.join(",")))
}

fn element_type(name: &str) -> Option<PrimitiveType> {
    let xla = match name {
        "i1" => "pred".to_owned(),
        "complex<f32>" => "c64".to_owned(),
        "complex<f64>" => "c128".to_owned(),
        _ => match (
            name.strip_prefix("ui"),
            name.strip_prefix("si"),
            name.strip_prefix('i'),
        ) {
            (Some(bits), _, _) => format!("u{bits}"),
            (_, Some(bits), _) | (_, _, Some(bits)) => format!("s{bits}"),
            _ => name.to_lowercase(),
        },
    };
    xla.parse()
        .ok()
        .filter(|found: &PrimitiveType| found.is_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_mlir_become_shapes() {
        for (text, shape) in [
            ("<2x3xf32>", Some("f32[2,3]")),
            ("<f32>", Some("f32[]")),
            ("<?x3xi32>", Some("s32[?,3]")),
            ("<4xi1>", Some("pred[4]")),
            ("<4xui8>", Some("u8[4]")),
            ("<4xsi8>", Some("s8[4]")),
            ("<2xcomplex<f32>>", Some("c64[2]")),
            ("<2xf8E4M3FN>", Some("f8e4m3fn[2]")),
            ("<2x3xbf16, #stablehlo.bounds<?, 3>>", Some("bf16[2,3]")),
            ("<*xf32>", None),
            ("<2x3>", None),
            ("<-2xf32>", None),
            ("<2xtuple>", None),
            ("<2xf32", None),
            ("<", None),
        ] {
            assert_eq!(tensor(text).as_deref(), shape, "{text}");
        }
        let strided = "memref<2x3xf32, strided<[1, 2]>>";
        assert_eq!(memref(strided).as_deref(), Ok("f32[2,3]{0,1}"));
        assert!(memref("memref<2x").is_err());
        assert!(shape("SHAPE", "tensor <2xf32>").is_none());
        assert!(matches!(shape("SHAPE", "tensor<*xf32>"), Some(Err(_))));
    }
}
