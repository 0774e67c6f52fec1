//! XLA's utilities for shapes and layouts, in modules that have the names of XLA's classes.
//!
//! Programs use it as `xlayout::xla`, with the feature `xla` of the facade.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod compare;
mod difference;
mod error;
pub mod index_util;
pub mod layout_util;
pub mod primitive_util;
#[cfg(feature = "alloc")]
mod shape_layout;
pub mod shape_util;
#[cfg(feature = "alloc")]
mod walk;

pub use compare::{Comparable, Compare};
pub use difference::{Difference, Different};
pub use error::ShapeError;
#[cfg(feature = "alloc")]
pub use shape_layout::ShapeLayout;

pub mod xla_functions {
    //! Where to find what XLA's functions do. The search of this documentation finds them by
    //! their C++ names, too.
    #![doc(alias = "IndexUtil")]
    #![doc(alias = "LayoutUtil")]
    #![doc(alias = "IsDenseArray")]
    #![doc(alias = "IsDense")]
    #![doc(alias = "IsSparse")]
    #![doc(alias = "IsSparseArray")]
    #![doc(alias = "IsCOO")]
    #![doc(alias = "IsCSR")]
    #![doc(alias = "IsCSC")]
    #![doc(alias = "GetDimLevelType")]
    #![doc(alias = "DimUnique")]
    #![doc(alias = "DimOrdered")]
    #![doc(alias = "ValidateDimLevel")]
    #![doc(alias = "IgnorePhysicalShape")]
    #![doc(alias = "ByteSizeOfElementsRecursive")]
    #![doc(alias = "SerializedSize")]
    #![doc(alias = "SerializedSizeWithProto")]
    #![doc(alias = "MakeValidatedShapeWithSparseLayout")]
    #![doc(alias = "MakeValidatedTupleShapeWithPtrs")]
    #![doc(alias = "PopulateShape")]
    #![doc(alias = "IsInitialized")]
    #![doc(alias = "HigherPrecisionElementType")]
    #![doc(alias = "ElementCanUpcast")]
    #![doc(alias = "ComplexComponentShape")]
    #![doc(alias = "ToNamedSharding")]
    #![doc = include_str!("xla_functions/layouts.md")]
    #![doc = include_str!("xla_functions/shapes.md")]
    #![doc = include_str!("xla_functions/shardings.md")]

    // What the tables name.
    #[cfg(doc)]
    use crate::*;
    #[cfg(doc)]
    use xlayout_core::*;
}
