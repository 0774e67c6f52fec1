//! PyTorch: `torch.Size([2, 3]), stride=(1, 2)`, in elements.

use core::fmt::Write;

use super::element_types::check_bits;
use super::error::Printed;
use super::lists::joined;
use super::lists::python_tuple;
use super::{Given, Library, StridedArray};
use xlayout_shape::ArrayShape;

pub(super) fn print(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    let host = StridedArray::of(shape, Library::Torch)?;
    check_bits(shape, Library::Torch, false)?;
    let sizes = joined(host.shape(), ", ");
    let strides = python_tuple(host.element_strides());
    Ok(write!(out, "torch.Size([{sizes}]), stride={strides}"))
}
