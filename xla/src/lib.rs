//! XLA's utilities for shapes and layouts, in modules that have the names of XLA's classes.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

pub mod shape_util;

pub(crate) use xlayout_core::*;
