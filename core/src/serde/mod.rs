//! Layouts, indices and arrays in serde's formats; `xlayout_shape::serialized` says how.

#[cfg(feature = "alloc")]
mod array;
mod dynamic;
mod typed;
