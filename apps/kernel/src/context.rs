//! Information of XLA about a call, besides operands and attributes.
#![allow(unsafe_code)]

use core::ops::Deref;

use crate::error::{Code, Error};
use crate::handler::Call;
use crate::kernel::{Kernel, Kind};
use crate::parameter::{Parameter, sealed::Sealed};
use crate::pool::Pool;
use crate::xla::{self, Context};

/// The number of the device that the call runs on, counted by XLA from 0: a parameter of a kernel.
///
/// ```
/// use xlayout_kernel::DeviceOrdinal;
/// fn seed(device: DeviceOrdinal) -> u64 {
///     1000 + *device as u64
/// }
/// assert_eq!(seed(DeviceOrdinal(3)), 1003);
/// ```
#[doc(alias = "XLA_FFI_DeviceOrdinal_Get")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceOrdinal(pub i32);

/// The number of the run that the call belongs to: all calls of one run of a program have the same.
#[doc(alias = "XLA_FFI_RunId_Get")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub i64);

macro_rules! told_by_xla {
    ($($name:ident($number:ty), $read:ident, $what:literal;)*) => {$(
        impl Deref for $name {
            type Target = $number;
            fn deref(&self) -> &$number {
                &self.0
            }
        }

        impl Sealed for $name {}

        impl<'call> Parameter<'call> for $name {
            const KIND: Kind = Kind::Context;

            unsafe fn take(call: &Call<'call>, kernel: &'static Kernel, parameter: usize) -> Result<Self, Error> {
                match xla::$read(call.context()) {
                    Ok(number) => Ok(Self(number)),
                    Err(why) => Err(lacks(kernel, parameter, $what, why)),
                }
            }
        }
    )*};
}
told_by_xla! {
    DeviceOrdinal(i32), device_ordinal, "the number of the device";
    RunId(i64), run_id, "the number of the run";
}

impl Sealed for Pool<'_> {}

impl<'call> Parameter<'call> for Pool<'call> {
    const KIND: Kind = Kind::Context;

    unsafe fn take(call: &Call<'call>, _: &'static Kernel, _: usize) -> Result<Self, Error> {
        Ok(Self::of(call.context()))
    }
}

impl Sealed for Context<'_> {}

impl<'call> Parameter<'call> for Context<'call> {
    const KIND: Kind = Kind::Context;

    unsafe fn take(call: &Call<'call>, _: &'static Kernel, _: usize) -> Result<Self, Error> {
        Ok(call.context())
    }
}

/// The error if XLA does not provide the information.
#[cold]
fn lacks(kernel: &Kernel, parameter: usize, what: &str, why: Option<Error>) -> Error {
    let why = why.map_or_else(
        || "this version of XLA has no function for it".into(),
        |error| error.message().to_owned(),
    );
    let kernel = &kernel.source;
    let name = kernel.parameters[parameter].name;
    Error::new(
        Code::Unimplemented,
        format!("`{name}` is {what}, which XLA does not tell: {why}"),
    )
    .of_kernel(kernel.name)
}
