//! Rust kernels with declared layouts that XLA calls: the run-time half of `#[xlayout::kernel]`.
//!
//! The parameters of a kernel declare its arrays with their layouts. XLA passes arrays without a
//! layout: the caller states it, and a handler trusts the caller. Here the layout is declared once, in
//! the function's type. Python reads it from the shared object and requests it from XLA. Everything
//! else that a call passes is checked before the function runs.
//!
//! ```toml
//! [lib]
//! crate-type = ["cdylib"]
//!
//! [dependencies]
//! xlayout = "0.1"
//! xlayout-kernel = "0.1"
//! ```
//!
//! ```
//! use xlayout::layout;
//! use xlayout_kernel::{In, Out, Result, Scalar};
//!
//! /// y = a * x
//! #[xlayout::kernel]
//! fn scale(
//!     a: Scalar<f32>,
//!     x: In<layout!(f32[?, 128]{1,0})>,
//!     mut y: Out<layout!(f32[?, 128]{1,0})>,
//! ) -> Result<()> {
//!     for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
//!         *y = *a * x;
//!     }
//!     Ok(())
//! }
//! ```
//!
//! ```python
//! import xlayout_jax
//! kernels = xlayout_jax.load("target/release/libmine.so")
//! y = kernels.scale(x, a=2.0)     # works under jit, vmap, shard_map
//! ```
//!
//! A kernel stays an ordinary function, and a test calls it:
//!
//! ```
//! use xlayout::{View, ViewMut, layout};
//! use xlayout_kernel::{In, Out, Result, Scalar};
//!
//! type Rows = layout!(f32[?, 2]{1,0});
//!
//! fn scale(a: Scalar<f32>, x: In<Rows>, mut y: Out<Rows>) -> Result<()> {
//!     for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
//!         *y = *a * x;
//!     }
//!     Ok(())
//! }
//!
//! let layout = Rows::with_sizes([2, 2])?;
//! let mut y = [0.0; 4];
//! scale(
//!     Scalar(2.0),
//!     In::new(View::new(&[1.0, 2.0, 3.0, 4.0], layout)?),
//!     Out::new(ViewMut::new(&mut y, layout)?),
//! )?;
//! assert_eq!(y, [2.0, 4.0, 6.0, 8.0]);
//! # Ok::<(), xlayout_kernel::Error>(())
//! ```
//!
//! # Parameters
//! | type | what XLA passes |
//! |---|---|
//! | [`In<L>`](In) | the next argument, to read |
//! | [`Out<L>`](Out) | the next result, to write |
//! | [`InOut<L>`](InOut) | the next argument and the next result, in the same memory |
//! | [`Scalar<T>`](Scalar), `&[T]`, `&str` | the attribute of the parameter's name |
//! | `Option` of these | the same, if the call has it |
//! | [`DeviceIn<L>`](DeviceIn), [`DeviceOut<L>`](DeviceOut), [`DeviceInOut<L>`](DeviceInOut) | the same arrays in the memory of a GPU |
//! | [`Pool`], [`Stream`], [`Context`], [`DeviceOrdinal`], [`RunId`] | what XLA knows of the call |
//!
//! The layout is dense in any minor-to-major sequence, and packs elements narrower than a byte
//! (`s4[8]{0:E(4)}`): no others are passed on the CPU. `In<Converted<L>>` takes a row-major array and
//! converts it to any layout `L` inside the kernel (feature `relayout`). Where it is
//! [spread over devices](https://docs.rs/xlayout-sharding), the kernel gets the part of its device.
//! Elements are Rust's own types where there are any, see [`ElementStorage`].
//!
//! # Sizes
//! `?` as dimension `d` is one size: the same in all arrays that have a `?` there. `?M` is a size with
//! a name, equal wherever the name is written, and `?_` is any size. Names belong to the layout's type, so
//! that an alias has them. To pass a view whose layout has other names, call
//! [`renamed`](xlayout_core::ArrayBase::renamed) on it. Ranks are strict; with the option
//! `batch` all arrays may have the same leading dimensions besides (for arguments also 1, which
//! repeats them), and the kernel runs once for each index of those.
//!
//! # What is promised
//! - Before the function runs: element types, ranks, sizes, the number of arguments and results, the
//!   names and types of attributes, alignment, that no array that is written shares a byte with
//!   another, and that the bytes of a `bool` are 0 or 1. A result of `bool`s is cleared first.
//! - Each refusal is an error of XLA's, `INVALID_ARGUMENT`: which kernel and parameter, what was
//!   declared, what was found, and what to do. An [`Error`] of the function is passed on with its
//!   [`Code`], and a panic is `INTERNAL`; nothing unwinds into XLA. (Where a panic was, standard
//!   error says: a shared object has no way to know that leaves the program's panic hook alone. With
//!   `panic = "abort"` in the profile a panic ends the process.)
//! - XLA's structures are read as far as they say that they go. The handler calls itself one of XLA's
//!   own version of the API, up to 0.3, so that older and newer XLAs take it.
//! - When all is well nothing is allocated or formatted, and a call takes no longer than with a
//!   handler in C++, which looks at element type and rank only.
//!
//! # Instructions and devices
//! A kernel is compiled for several sets of instructions ([`Isa`]), and the description names the handler
//! of the last one that the processor has. With `independent = "M"` XLA divides a call among devices.
//! The documentation of [`xlayout::kernel`] has both.
//!
//! # Features
//! `half`, `float8`, `num-complex`: elements are the types of these crates, not their bits.
//! `relayout`: `Converted` arrays, and `Pool::relayout`, which copies from layout to layout on XLA's
//! threads (Rust 1.89).
//!
//! # Targets
//! Those with pointers of 64 bits, as XLA's own. Others do not compile.
//!
//! # The C interface
//! A shared object exports one function, `xlayout_kernels`, which answers the kernels' description as
//! JSON: names, parameters, layouts, independent dimensions, and the addresses of the handlers. [`abi`] has the structures.
//!
//! A compiled program (an exported one, or one of JAX's compilation cache) holds the layouts that it was
//! made with. Each kernel's description has a `declaration`, a hash of its signature and layouts;
//! register the handler under a name with it, as `xlayout_jax` does. Then a program that was made
//! with another declaration fails with XLA's `NOT_FOUND`, and does not pass arrays in other layouts.
//! Equal declarations have equal hashes, whatever compiled them.
#![cfg_attr(docsrs, feature(doc_cfg))]

// XLA passes sizes of 64 bits, which a `usize` of 32 bits cannot hold. XLA itself has no such target.
#[cfg(not(target_pointer_width = "64"))]
compile_error!("xlayout-kernel needs a target with pointers of 64 bits, as XLA does");

pub mod abi;
mod arrays;
mod batch;
mod context;
mod conversion;
#[cfg(feature = "relayout")]
mod converted;
mod declaration;
mod describe;
mod device;
mod element_storage;
mod error;
mod fast_check;
mod fault;
mod frame;
mod full_check;
mod handler;
mod isa;
#[cfg(feature = "relayout")]
mod items;
mod kernel;
mod level;
mod memory;
mod operand;
mod parameter;
mod pool;
mod refuse;
#[cfg(feature = "relayout")]
mod relayout;
mod scalar;
mod slots;
mod xla;

pub use arrays::{In, InOut, Out};
pub use context::{DeviceOrdinal, RunId};
#[cfg(feature = "relayout")]
pub use converted::{Converted, Convertible};
pub use device::{Context, DeviceIn, DeviceInOut, DeviceOut, Stream};
pub use element_storage::ElementStorage;
pub use error::{Code, Error, Failure, Outcome, Result};
pub use isa::Isa;
pub use operand::{Arranged, Operand};
pub use parameter::Parameter;
pub use pool::Pool;
pub use scalar::{ArrayNumber, AttributeType, Number, Scalar};
#[doc(no_inline)]
pub use xlayout_core::Raw;

/// What the macro writes. Not for use: it may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::abi::{CallFrame, Handler, XlaError};
    pub use crate::describe::{Registered, description};
    pub use crate::error::{Error, into_result};
    pub use crate::fast_check::{Declares, FastCheck};
    pub use crate::handler::{Call, handle};
    pub use crate::isa::Handlers;
    pub use crate::kernel::{Declared, Kernel, Source};
    pub use crate::level::Baseline;
    #[cfg(target_arch = "x86_64")]
    pub use crate::level::V3;
    #[cfg(all(target_arch = "x86_64", xlayout_avx512))]
    pub use crate::level::V4;
    pub use crate::parameter::Parameter;
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

    /// The handler where the target can have processors of `x86-64-v3`; else `None`.
    #[doc(hidden)]
    #[macro_export]
    #[cfg(target_arch = "x86_64")]
    macro_rules! __if_v3 {
        ($handler:expr) => {
            $handler
        };
    }
    #[doc(hidden)]
    #[macro_export]
    #[cfg(not(target_arch = "x86_64"))]
    macro_rules! __if_v3 {
        ($($handler:tt)*) => {
            ::core::option::Option::None
        };
    }
    pub use crate::__if_v3 as if_v3;

    /// The same for `x86-64-v4`, which the compiler must know, too (`build.rs`).
    #[doc(hidden)]
    #[macro_export]
    #[cfg(all(target_arch = "x86_64", xlayout_avx512))]
    macro_rules! __if_v4 {
        ($handler:expr) => {
            $handler
        };
    }
    #[doc(hidden)]
    #[macro_export]
    #[cfg(not(all(target_arch = "x86_64", xlayout_avx512)))]
    macro_rules! __if_v4 {
        ($($handler:tt)*) => {
            ::core::option::Option::None
        };
    }
    pub use crate::__if_v4 as if_v4;
}

/// The code in README runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// So does that of the page about speed.
#[cfg(doctest)]
#[doc = include_str!("../FAST.md")]
struct Fast;
