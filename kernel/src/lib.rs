//! Rust kernels with declared layouts that XLA calls: the run-time half.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod abi;
mod arrays;
mod batch;
mod carrier;
mod context;
mod describe;
mod door;
mod error;
mod fault;
mod frame;
mod handler;
mod kernel;
mod memory;
mod operand;
mod parameter;
mod pool;
mod quick;
mod refuse;
#[cfg(feature = "relayout")]
mod relayout;
mod scalar;
mod slots;
mod xla;

pub use arrays::{In, InOut, Out};
pub use carrier::Carried;
pub use context::{DeviceOrdinal, RunId};
pub use error::{Code, Error, Outcome, Result};
pub use operand::{Arranged, Operand};
pub use parameter::Parameter;
pub use pool::Pool;
pub use scalar::{AttributeType, Scalar};
#[doc(no_inline)]
pub use xlayout_core::Raw;

/// What the macro writes. Not for use: it may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::abi::{CallFrame, XlaError};
    pub use crate::describe::{Registered, description};
    pub use crate::error::{Error, into_result};
    pub use crate::handler::{Call, handle};
    pub use crate::kernel::{Declared, Kernel, Source};
    pub use crate::parameter::Parameter;
    pub use crate::quick::{Declares, Glance};
    pub use inventory;

    /// Makes a kernel known to the shared object's description.
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __submit {
        ($kernel:ident) => {
            $crate::__private::inventory::submit! { $crate::__private::Registered(&$kernel) }
        };
    }
    pub use crate::__submit as submit;
}
