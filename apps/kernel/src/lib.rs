//! Rust kernels with declared layouts that XLA calls.
//!
//! A kernel declares the layout of each array in the type of a parameter. XLA passes arrays without
//! their layouts, and a handler usually trusts its caller. Here Python reads the declared layouts
//! from the shared object and requests them from XLA. Everything else that a call passes is checked
//! before the function runs.
//!
//! This page describes the parameters, the checks and the C interface. The page of the attribute
//! [`kernel`](macro@kernel) has its options. The
//! [book](https://github.com/xlayout/xlayout/blob/main/book/src/kernels.md) is a tutorial, and
//! `FAST.md` says how to make a kernel fast.
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
//! #[xlayout_kernel::kernel]
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
//! import xlayout.jax
//! kernels = xlayout.jax.load("target/release/libmine.so")
//! y = kernels.scale(x, a=2.0)     # works under jit, vmap, shard_map
//! ```
//!
//! A kernel stays an ordinary function, and a test calls it:
//!
//! ```
//! use xlayout::{SliceView, SliceViewMut, layout};
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
//!     In::new(SliceView::new(layout, &[1.0, 2.0, 3.0, 4.0])?),
//!     Out::new(SliceViewMut::new(layout, &mut y)?),
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
//! | [`Scalar<T>`](Scalar), `&[T]`, `&str`, [`Word<T>`](Word) | the attribute of the parameter's name |
//! | `Option` of these | the same, if the call has it |
//! | [`Pool`], [`Context`], [`DeviceOrdinal`], [`RunId`] | information of XLA about the call |
//!
//! XLA passes only dense layouts on the CPU: any minor_to_major, no tiles, no padding. Elements
//! narrower than a byte are packed (`s4[8]{0:E(4)}`). `In<Converted<L>>` takes a row-major array
//! and converts it to any layout `L` inside the kernel (feature `relayout`). If the layout is
//! [sharded](https://docs.rs/xlayout-sharding), the kernel gets the part of its device.
//! [`ElementStorage`] lists the Rust types of the elements.
//!
//! # Computing
//! [`reduce`] has sums, extremes and blocks of matrix products, and [`math`] has `exp` and `ln`:
//! loops with them become vector instructions.
//!
//! # Sizes
//! - `?` in dimension `d` is one size: it is equal in all arrays that have a `?` in that dimension.
//! - `?M` is a size with a name. All sizes of one name are equal. Names belong to the type of the
//!   layout, so an alias has them. [`renamed`](xlayout_core::ArrayBase::renamed) gives a view other
//!   names.
//! - `?_` is any size.
//!
//! The rank of an array is the declared one. With the option `batch` all arrays may have additional
//! leading dimensions of equal sizes. In an argument such a size may be 1, which repeats the
//! argument. The kernel runs once for each index of the leading dimensions.
//!
//! A call with the attribute `xlayout.by_items = true` passes all arrays of a batch row-major. The
//! kernel then converts the items to the declared layouts (feature `relayout`). `xlayout.jax` calls
//! a batch in this way, because XLA transposes the whole batch otherwise.
//!
//! # What is checked
//! Before the function runs:
//! - the number of arguments and results, element types, ranks and sizes;
//! - the names and types of attributes;
//! - alignment, and that an array that is written shares no byte with another array;
//! - that each byte of a `bool` is 0 or 1. A result of `bool` is cleared first.
//!
//! A call without errors allocates and formats nothing. It takes no longer than a handler in C++
//! that checks the element type and the rank only. XLA's structures are read up to the length that
//! they state. The handler states the version of the API that XLA has, up to 0.3, so that older and
//! newer versions of XLA accept it.
//!
//! # Errors
//! - An array or attribute that does not fit is XLA's error `INVALID_ARGUMENT`. It names the kernel
//!   and the parameter, what was declared, what was found, and what to do.
//! - An [`Error`] that the function returns is passed to XLA with its [`Code`].
//! - A panic is `INTERNAL` and does not unwind into XLA. Its place is printed to standard error,
//!   because a shared object cannot learn it without replacing the panic hook of the program. With
//!   `panic = "abort"` a panic ends the process.
//! - A stack overflow ends the process with SIGSEGV, as in any Rust program, and no error can
//!   report it. A kernel runs on a thread of XLA's or of Python's. Its stack is what `ulimit -s`
//!   says, mostly 8 MiB, and that of a thread which a Rust program starts is 2 MiB: keep arrays of
//!   more than a few hundred KiB in a `Vec`, and replace a recursion over elements by a loop.
//!
//! # Instructions and devices
//! A kernel is compiled for several sets of instructions ([`Isa`]), and the description names the
//! handler of the last one that the processor has. With `independent = "M"` XLA divides a call
//! among devices. The documentation of [`kernel`](macro@kernel) has both.
//!
//! # Features
//! | feature | what it adds |
//! |---|---|
//! | `half`, `float8`, `num-complex` | elements have the types of these crates instead of [`xlayout_core::Raw`] |
//! | `relayout` | `Converted` arrays; `Pool::relayout`, which copies between layouts on XLA's threads (Rust 1.89) |
//! | `sharding` | sharded layouts: `layout!` has them with the feature `sharding` of `xlayout` |
//!
//! # Targets
//! As XLA, the crate needs pointers of 64 bits. It does not compile for other targets.
//!
//! # The C interface
//! A shared object exports one function, `xlayout_kernels`. It returns the description of the
//! kernels as JSON: names, parameters, layouts, independent dimensions, and the addresses of the
//! handlers. [`abi`] has the structures.
//!
//! A compiled program (an exported one, or one in JAX's compilation cache) holds the layouts that
//! it was compiled with. Each kernel's description has a `declaration`, a hash of its signature and
//! layouts. Register the handler under a name that contains the hash, as `xlayout.jax` does. Then a
//! program that was compiled with another declaration fails with XLA's `NOT_FOUND`, and does not
//! pass arrays in other layouts. The hash depends on the declaration only.
#![cfg_attr(docsrs, feature(doc_cfg))]

// XLA passes sizes of 64 bits, which a `usize` of 32 bits cannot hold. XLA itself has no such
// target.
#[cfg(not(target_pointer_width = "64"))]
compile_error!("xlayout-kernel needs a target with pointers of 64 bits, as XLA does");

#[macro_use]
mod const_text;
pub mod abi;
mod arrays;
mod batch;
mod context;
mod conversion;
#[cfg(feature = "relayout")]
mod converted;
mod declaration;
mod describe;
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
mod lines;
pub mod math;
mod memory;
mod number;
mod operand;
mod parameter;
mod passed;
mod poison;
mod pool;
pub mod reduce;
mod refuse;
#[cfg(feature = "relayout")]
mod relayout;
mod scalar;
mod slots;
mod without_xla;
mod xla;

pub use arrays::{In, InOut, Out};
pub use context::{DeviceOrdinal, RunId};
#[cfg(feature = "relayout")]
pub use converted::{Converted, Convertible};
pub use element_storage::ElementStorage;
pub use error::{Code, Error, Failure, Outcome, Result};
pub use isa::Isa;
pub use lines::{Lines, Shares, Slice, lines};
pub use operand::{Arranged, Operand, ViewMutOf, ViewOf};
pub use parameter::Parameter;
pub use pool::Pool;
pub use scalar::{ArrayNumber, AttributeType, Number, Scalar, Word, Words};
pub use xla::Context;
#[doc(no_inline)]
pub use xlayout_core::Raw;

/// What the macro writes. Not for use: it may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::abi::{CallFrame, Handler, XlaError};
    pub use crate::describe::{Registered, description};
    pub use crate::error::{Error, Result, into_result};
    pub use crate::fast_check::{Declares, FastCheck};
    pub use crate::handler::{Call, Runs, handle};
    pub use crate::isa::Handlers;
    pub use crate::kernel::{Declared, Kernel, Source};
    pub use crate::level::Baseline;
    #[cfg(target_arch = "x86_64")]
    pub use crate::level::V3;
    #[cfg(all(target_arch = "x86_64", xlayout_avx512))]
    pub use crate::level::V4;
    pub use crate::parameter::Parameter;
    pub use crate::without_xla::api;
    pub use inventory;
    pub use xlayout_core::dtype;

    /// Adds a kernel to the shared object's description.
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
    macro_rules! __if_v3 {
        ($($handler:tt)*) => {{
            #[cfg(target_arch = "x86_64")]
            {
                $($handler)*
            }
            #[cfg(not(target_arch = "x86_64"))]
            {
                ::core::option::Option::None
            }
        }};
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

#[doc = include_str!("attribute.md")]
pub use xlayout_kernel_macros::kernel;

/// The code in README runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
