//! Numbers that XLA passes as attributes.
#![allow(unsafe_code)]

use core::ffi::c_int;

use xlayout_core::{Element, ElementType, dtype::DType};

use crate::fault::Wrong;
use crate::frame::{Attribute, value};
use crate::memory::elements;

/// The attribute as one number of this type.
#[inline(always)]
pub(crate) fn read<T: Element>(attribute: Attribute<'_>) -> Result<T, Wrong> {
    let (found, data) = attribute.scalar().ok_or(Wrong::Kind)?;
    is_type::<T>(found)?;
    // SAFETY: XLA's attribute has one number of the type that it says, which is `T`'s.
    let bytes = unsafe { value(data, size_of::<T>()) }.ok_or(Wrong::NoValue)?;
    match *elements(bytes)? {
        [value] => Ok(value),
        _ => unreachable!("the bytes are those of one number"),
    }
}

/// The attribute as numbers of this type.
#[inline(always)]
pub(crate) fn read_array<'call, T: Element>(
    attribute: Attribute<'call>,
) -> Result<&'call [T], Wrong> {
    let (found, len, data) = attribute.array().ok_or(Wrong::Kind)?;
    is_type::<T>(found)?;
    let bytes = len.checked_mul(size_of::<T>()).ok_or(Wrong::NoValue)?;
    // SAFETY: XLA's attribute has `len` numbers of the type that it names, which is `T`'s.
    let bytes = unsafe { value(data, bytes) }.ok_or(Wrong::NoValue)?;
    elements(bytes)
}

fn is_type<T: Element>(found: c_int) -> Result<(), Wrong> {
    if i64::from(found) == i64::from(type_of::<T>().number()) {
        Ok(())
    } else {
        Err(Wrong::AttributeType)
    }
}

pub(crate) const fn type_of<T: Element>() -> ElementType {
    <T::Type as DType>::TYPE
}
