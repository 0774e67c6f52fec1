//! Array layouts as XLA writes them, checked by the Rust compiler and used at no cost.
//!
//! A layout says how the elements of an array lie in memory. [`layout!`] takes the text in which
//! XLA prints one, and is a type and a value:
//!
//! ```
//! use xlayout::{LaidOut, layout};
//!
//! type A = layout!(f32[2,3]{0,1}); // column-major: dimension 0 varies fastest
//! assert_eq!(A::STRIDES, [1, 2]);
//! static BUFFER: [f32; A::LEN] = [0.0; 6];
//!
//! let tiled = layout!(bf16[1000,3000]{1,0:T(8,128)(2,1)}); // as a TPU keeps it
//! assert_eq!(tiled.linear_index(&[1, 0]), 1);
//! assert_eq!(tiled.bytes(), 1000 * 3072 * 2);
//! ```
//!
//! A wrong layout does not compile:
//!
//! ```compile_fail
//! # use xlayout::layout;
//! type A = layout!(fp32[2,3]{1,2}); // two mistakes, both reported
//! ```
//!
//! A layout that only the run time knows is read from the same text by the same rules, and
//! answers the same questions through the same trait, [`LaidOut`]; [`specialize!`] takes it back
//! to one that the compiler knows.
//!
//! This crate only joins its parts: everything here is documented in `xlayout-core`.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use xlayout_core::*;
#[cfg(feature = "interop")]
#[cfg_attr(docsrs, doc(cfg(feature = "interop")))]
#[doc(inline)]
pub use xlayout_interop as interop;
#[cfg(feature = "sharding")]
#[cfg_attr(docsrs, doc(cfg(feature = "sharding")))]
#[doc(inline)]
pub use xlayout_sharding as sharding;
#[cfg(feature = "xla")]
#[cfg_attr(docsrs, doc(cfg(feature = "xla")))]
#[doc(inline)]
pub use xlayout_xla as xla;

/// Layouts known at compile time, in whole or in part, as types: what [`layout!`] writes.
pub mod fixed {
    pub use xlayout_core::fixed::*;
    #[cfg(feature = "sharding")]
    pub use xlayout_sharding::types::*;
}

/// A layout, as a type and as a value.
///
/// It takes XLA's text of an array, and our notation beside it. All of these are one layout, and
/// one type:
///
/// ```
/// use xlayout::layout;
///
/// let mut a: layout!(f32[2,3]{0,1}) = layout!(f32[2,3]{0,1});
/// a = layout!(f32[2,3] <0,1>); // the numbers go from minor to major in both
/// a = layout!(f32[2,3] <0,1>, padded_dimensions = [2, 3]); // padding to the size itself is none
/// # let _ = a;
/// ```
///
/// | written | means |
/// |---|---|
/// | `f32[2,3]` | row-major, as `{1,0}` |
/// | `f32[2,3]{0,1}` or `f32[2,3] <0,1>` | dimension 0 varies fastest |
/// | `f32[2,3]{1,0:T(8,128)(2,1)L(64)E(32)S(1)SC(0:1)M(8)}` | tiles, tail padding alignment, element size, memory space, splits, metadata: whatever XLA prints |
/// | `f32[2,3] <0,1>, padded_dimensions = [3, 5], padding_value = zero` | padding, which XLA's text has no words for |
/// | `f32[M, crate::K]`, `f32[{ N * 2 }, 3]` | constants, parameters `const M: usize`, expressions |
/// | `f32[U2, type N]` | numbers of typenum: by their names, or any `N: Unsigned` |
/// | `f32[<=8, 3]` | dimension 0 has a size that changes, of 8 at most; storage is for 8 |
/// | `f32[?, 3]` | dimension 0 has a size that a value of the type holds |
/// | `f32[?M, ?_]` | the same, with names of up to 32 letters, which belong to the type: in a `#[kernel]` sizes of one name are equal, and `?_` is any size; [`renamed`](View::renamed) gives other names |
/// | `f32[8,4], sharding = {devices=[2,1]<=[2]}` | the array is spread over devices, see [below](#spread-over-devices) |
///
/// # In types, expressions and patterns
/// The expansion is one path. With a `?` the value is a function from the sizes:
///
/// ```
/// use xlayout::{LaidOut, layout};
///
/// fn bytes<const M: usize>(layout: layout!(f32[M,3]{1,0})) -> usize {
///     layout.bytes()
/// }
/// assert_eq!(bytes(layout!(f32[4,3])), 48);
///
/// let rows: layout!(f32[?,3]) = layout!(f32[?,3])([4, 3])?;
/// assert_eq!(rows.bytes(), 48);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # As an item
/// An alias of a type is no value, so declarations give each type a constant of the same name
/// (without one where there is a `?` or a parameter):
///
/// ```
/// use xlayout::{LaidOut, layout};
///
/// layout! {
///     /// What the device returns.
///     pub type Result = f32[8,128]{1,0:T(8,128)};
///     type Rows<const N: usize> = f32[N,128];
/// }
/// assert_eq!(Result.bytes(), 4096);
/// assert_eq!(<Result>::LEN, Rows::<8>::LEN);
/// ```
///
/// # Spread over devices
/// The option `sharding` takes XLA's text of a sharding, checked against the layout: as many numbers
/// as dimensions (and subgroups), each device once. The type is then a
/// [`Sharded`](fixed::Sharded): it has the layout of the whole and that of the buffer on each device
/// as associated types, and says which part of the whole a device holds. Where a dimension does not
/// divide, XLA pads: the buffer has the quotient rounded up, and the last parts have fewer elements.
///
#[cfg_attr(feature = "sharding", doc = "```")]
#[cfg_attr(not(feature = "sharding"), doc = "```ignore")]
/// use xlayout::fixed::ShardedLayout;
/// use xlayout::{FixedLayout, layout};
///
/// type Weights = layout!(f32[1000,512]{1,0}, sharding = {devices=[3,2]<=[6]});
/// type OnDevice = <Weights as ShardedLayout>::PerDevice; // layout!(f32[334,256]{1,0})
/// assert_eq!(OnDevice::DIMS, [334, 256]);
/// assert_eq!(Weights::NUM_DEVICES, Some(6));
/// assert_eq!(const { Weights::index_range(5) }, Some([668..1000, 256..512]));
/// ```
///
/// A dimension that is cut has a number for its size; others may have constants, parameters or a
/// `?`. It takes the feature `sharding`.
///
/// # Errors
/// All mistakes are reported, each at its tokens, in the words of the run-time reader.
#[macro_export]
macro_rules! layout {
    ($($tokens:tt)*) => {
        $crate::__private::layout_impl! { [$crate] $($tokens)* }
    };
}

/// Runs the body of the first arm whose layout a run-time layout has, with the layout's type known
/// there; of the last arm, `_`, if it has none.
///
/// The value is a name, or gets one: `specialize!(x = expression, { … })`. It is a layout or a view
/// of one, and in each arm the name stands for the same thing with the arm's layout. An arm takes
/// whatever [`layout!`] takes, several of them separated by `|`, or the name of a declared layout.
///
/// ```
/// use xlayout::{Dyn, LaidOut, layout, specialize};
///
/// fn bytes(layout: &Dyn) -> usize {
///     specialize!(layout, {
///         f32[2,3]{1,0} | f32[2,3]{0,1} => const { <layout!(f32[2,3])>::BYTES },
///         f32[?,3]{1,0} => layout.bytes(),
///         _ => layout.bytes(),
///     })
/// }
/// assert_eq!(bytes(&"f32[2,3]{0,1}".parse()?), 24);
/// assert_eq!(bytes(&"f32[7,3]".parse()?), 84);
/// assert_eq!(bytes(&"u8[7]".parse()?), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! specialize {
    ($($tokens:tt)*) => {
        $crate::__private::specialize_impl! { [$crate] $($tokens)* }
    };
}

/// A function that XLA calls: from JAX, on arrays in the layouts that it declares.
///
/// It takes the crate [`xlayout-kernel`](https://docs.rs/xlayout-kernel) beside this one, which turns
/// on the feature `kernel` with which it is there, and a library of `crate-type = ["cdylib"]`. The function stays what it is, for tests and other functions
/// to call; written beside it is what XLA calls, which checks what it is passed and refuses what the
/// types do not say.
///
/// ```
/// use xlayout::layout;
/// use xlayout_kernel::{In, Out, Result, Scalar};
///
/// /// y = a * x
/// #[xlayout::kernel]
/// fn scale(
///     a: Scalar<f32>,
///     x: In<layout!(f32[?,128]{1,0})>,
///     mut y: Out<layout!(f32[?,128]{1,0})>,
/// ) -> Result<()> {
///     for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
///         *y = *a * x;
///     }
///     Ok(())
/// }
/// # fn main() {}
/// ```
///
/// ```python
/// kernels = xlayout_jax.load("target/release/libmine.so")
/// y = kernels.scale(x, a=2.0)
/// ```
///
/// # Parameters
/// | written | is |
/// |---|---|
/// | `x: In<L>` | an argument; arguments stand in the sequence of the parameters |
/// | `mut y: Out<L>` | a result; what it holds at first is not said |
/// | `mut z: InOut<L>` | an argument and a result in one memory |
/// | `a: Scalar<f32>`, `w: &[i64]`, `s: &str` | an attribute, passed by the parameter's name; `Option<…>` of one may be left out |
/// | `pool: Pool`, … | something that XLA knows of the call |
///
/// `L` is a layout: [`layout!`] or the name of one. `xlayout-kernel` says which layouts XLA passes.
///
/// # Sizes that are equal
/// In the layouts of a kernel's parameters, a `?` is one size wherever one stands at the same
/// dimension, `?M` is one size wherever this name stands, and `?_` is any. The names belong to the
/// types, so that aliases have them, too. A call with sizes that differ is refused before the function
/// runs:
///
/// ```
/// # use xlayout::layout;
/// # use xlayout_kernel::{In, Out};
/// #[xlayout::kernel]
/// fn product(
///     a: In<layout!(f32[?M,?K]{1,0})>,
///     b: In<layout!(f32[?K,?N]{0,1})>,
///     mut c: Out<layout!(f32[?M,?N]{1,0})>,
/// ) {
///     // …
/// #   let _ = (a, b, &mut c);
/// }
/// # fn main() {}
/// ```
///
/// Names are seen in a `layout!(…)` that stands in the parameter's type. Behind an alias every `?` is
/// without a name.
///
/// # Options
/// | written | means |
/// |---|---|
/// | `name = "scale_f32"` | Python and XLA know it under this name, and not the function's |
/// | `batch` | arrays may have more dimensions before those of their layouts, and the function runs once for each index of them |
/// | `crate = path::to::xlayout_kernel` | where the crate is, if not at `::xlayout_kernel` |
///
/// # Errors
/// A kernel returns nothing, or a `Result<()>` of any error. It is a plain function: without parameters
/// of its own (types, constants, lifetimes), not `async`, `const` or `unsafe`. All mistakes are reported
/// at once.
#[cfg(feature = "kernel")]
#[cfg_attr(docsrs, doc(cfg(feature = "kernel")))]
pub use xlayout_macros::kernel;

/// An [`Index`] of constant coordinates, which compiles if they are in bounds. In a function that is
/// generic over the layout the sizes are compared when code is generated: by `cargo build`, not by
/// `cargo check`.
///
/// ```
/// use xlayout::{index, layout};
///
/// type A = layout!(f32[2,3]{0,1});
/// assert_eq!(index!(A[1, 2]).linear().get(), 5);
/// ```
///
/// ```compile_fail
/// # use xlayout::{index, layout};
/// # type A = layout!(f32[2,3]{0,1});
/// let beyond = index!(A[2, 2]);
/// ```
///
/// The type is a name that begins with a capital letter, or any other type: `index!(a::B<3>[1, 2])`.
///
/// Whether the coordinates are in bounds is seen where code is generated for them: by `cargo build` and
/// `cargo test`, not by `cargo check`. In a constant `cargo check` sees it, too:
///
/// ```
/// # use xlayout::{Index, index, layout};
/// # type A = layout!(f32[2,3]{0,1});
/// const LAST: Index<A> = index!(A[1, 2]);
/// assert_eq!(LAST.linear().get(), 5);
/// ```
#[macro_export]
macro_rules! index {
    ([$($coordinate:tt)*] $($rest:tt)*) => {
        ::core::compile_error! {
            "an index belongs to a layout, and none is given\n\
             help: write its type before the coordinates: `index!(A[1, 2])`"
        }
    };
    ($layout:ident [$($coordinate:expr),* $(,)?]) => {
        $crate::__private::index_impl! { [$crate] $layout [$($coordinate),*] }
    };
    ($layout:ty [$($coordinate:expr),* $(,)?]) => {
        const { $crate::Index::<$layout>::at([$($coordinate),*]) }
    };
    ($layout:ty $(, $($rest:tt)*)?) => {
        ::core::compile_error! {
            "there are no coordinates in brackets\n\
             help: write them after the type of the layout: `index!(A[1, 2])`"
        }
    };
}

/// What the macros write. Not for use: it may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use xlayout_core::__private::{SpecializeInto, typenum};
    // Flat: each use of a macro names some of these, and the compiler resolves each part of a path.
    pub use crate::fixed::*;
    pub use xlayout_core::__private::{dtype::*, numbers::*};
    pub use xlayout_macros::{index_impl, layout_impl, specialize_impl};

    mod poison {
        /// What a layout with mistakes in it becomes, once as a type and once as a value. Its
        /// argument is a block that reports them, so it never has a value and the type is
        /// erroneous, of which the compiler says nothing more.
        #[derive(Debug)]
        pub enum Poison<const REPORTED: usize> {
            /// The value.
            Poison,
        }
    }
    pub use poison::Poison::{self, *};
}

/// The code in README runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
