//! The same layout in the notations of other libraries.

use xlayout::interop::{
    self, ArrayInterface, Contiguity, CuteLayout, DlTensor, Error, JaxLayout, MemRef, StridedArray,
};
use xlayout::{ArrayLayout, ArrayShape, DynLayout};

use crate::words::joined;

/// A layout in one notation, or why it has none there.
#[derive(Clone, Debug)]
pub(super) struct Notation {
    /// The key in JSON.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) text: Result<String, String>,
}

/// The largest rank of `layout!`.
const MAX_RANK: usize = 16;

pub(super) fn all(array: &DynLayout) -> Vec<Notation> {
    let shape = array.shape();
    if array.rank() > interop::MAX_RANK {
        let why = format!("arrays have {} dimensions at most there", interop::MAX_RANK);
        let none = |(key, name)| Notation {
            key,
            name,
            text: Err(why.clone()),
        };
        return NAMES.map(none).into();
    }
    let cute = CuteLayout::new(&shape).map(|cute| cute.to_string());
    let memref = MemRef::new(&shape).map(|memref| memref.to_string());
    let buffer = MemRef::physical(&shape).map(|memref| memref.to_string());
    let texts = [
        numpy(&shape),
        jax(&shape),
        memref,
        buffer,
        cute,
        dlpack(&shape),
    ];
    let notation = |((key, name), text): (_, Result<String, Error>)| Notation {
        key,
        name,
        text: text.map_err(|error| error.message().to_string()),
    };
    NAMES.into_iter().zip(texts).map(notation).collect()
}

const NAMES: [(&str, &str); 6] = [
    ("numpy", "NumPy"),
    ("jax", "JAX"),
    ("memref", "MLIR"),
    ("memref_buffer", WHOLE_BUFFER),
    ("cute", "CuTe"),
    ("dlpack", "DLPack"),
];

/// The memref of a tiled array, for code that knows no tiles.
pub(super) const WHOLE_BUFFER: &str = "MLIR, whole buffer";

/// The line to paste into a program.
pub(super) fn layout_macro(array: &DynLayout) -> Result<String, String> {
    if array.rank() > MAX_RANK {
        return Err(format!(
            "types have {MAX_RANK} dimensions at most; read it with `text.parse::<DynLayout>()`"
        ));
    }
    Ok(format!("layout!({})", array.shape()))
}

fn numpy(shape: &ArrayShape) -> Result<String, Error> {
    ArrayInterface::new(shape)?;
    let host = StridedArray::of_shape(shape)?;
    let dtype = interop::numpy_name(shape.element_type).unwrap_or("object");
    let flags = Contiguity::of_shape(shape);
    let letter = match (flags.c, flags.f) {
        (true, _) => ", order='C'",
        (_, true) => ", order='F'",
        _ => "",
    };
    Ok(format!(
        "shape={}, strides={}, dtype='{dtype}'{letter}",
        tuple(host.sizes()),
        tuple(&host.byte_strides()?),
    ))
}

fn jax(shape: &ArrayShape) -> Result<String, Error> {
    match &shape.layout {
        Some(layout) => JaxLayout::new(layout).map(|layout| layout.to_string()),
        None => Ok(String::new()),
    }
}

fn dlpack(shape: &ArrayShape) -> Result<String, Error> {
    let tensor = DlTensor::new(shape)?;
    let code = tensor.dtype.code_name().unwrap_or("?");
    let strides = tensor.strides.as_deref().unwrap_or_default();
    let flags = match tensor.subbyte_type_padded {
        true => ", flags=DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED",
        false => "",
    };
    Ok(format!(
        "dtype={{{code}, {}, {}}}, shape={{{}}}, strides={{{}}}{flags}",
        tensor.dtype.bits,
        tensor.dtype.lanes,
        joined(&tensor.shape, ", "),
        joined(strides, ", "),
    ))
}

/// As Python writes it.
fn tuple(items: &[i64]) -> String {
    match items {
        [item] => format!("({item},)"),
        _ => format!("({})", joined(items, ", ")),
    }
}
