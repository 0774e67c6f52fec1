//! Layouts and indices in serde's formats; `xlayout_shape::serialized` says how.

mod dynamic;
mod typed;
