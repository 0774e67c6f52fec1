//! Array layouts as XLA writes them, checked by the Rust compiler and used at no cost.
//!
//! A layout defines where each element of an array lies in memory. [`layout!`] takes the text that
//! XLA prints for a layout. It is a type and a value:
//!
//! ```
//! use xlayout::{ArrayLayout, layout};
//!
//! type A = layout!(f32[2,3]{0,1}); // column-major: dimension 0 varies fastest
//! assert_eq!(A::STRIDES, [1, 2]);
//! static BUFFER: [f32; A::BUFFER_LEN] = [0.0; 6];
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
//! A layout known at run time, [`DynLayout`], is read from the same text by the same rules, and has the
//! same trait, [`ArrayLayout`]. [`specialize!`] matches it against layouts known at compile time.
//!
//! | items | task |
//! |---|---|
//! | [`layout!`], [`ArrayLayout`], [`ConstLayout`], [`types`] | layouts known at compile time |
//! | [`DynLayout`], [`StridedLayout`], [`branded`], [`specialize!`] | layouts known at run time |
//! | [`View`], [`ViewMut`], [`PackedView`], `Array` | elements in memory |
//! | [`index!`], [`Index`], [`LinearIndex`], [`Axis`] | indices that are proven to be in bounds |
//! | [`bitcast`] | reshapes and transposes that move no data |
//! | [`ArrayShape`], `Shape`, [`Layout`], [`text`] | XLA's shapes as values; reading and printing |
//! | `xla`, `sharding`, `interop` | with the features of these names: XLA's utilities, `HloSharding`, NumPy and others |
//!
//! This crate re-exports the items of `xlayout-shape` and `xlayout-core`.
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
pub mod types {
    pub use xlayout_core::types::*;
    #[cfg(feature = "sharding")]
    pub use xlayout_sharding::types::*;
}

/// A layout, as a type and as a value.
///
/// It takes XLA's text of an array, and some notations of this crate. All of these are one type:
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
/// | `f32[2,3]{1,0:T(8,128)(2,1)L(64)E(32)S(1)SC(0:1)M(8)}` | tiles, tail padding alignment, element size, memory space, splits, metadata: what XLA prints |
/// | `f32[2,3] <0,1>, padded_dimensions = [3, 5], padding_value = zero` | padding, which XLA's text does not have |
/// | `f32[M, crate::K]`, `f32[{ N * 2 }, 3]` | constants, parameters `const M: usize`, expressions |
/// | `f32[U2, type N]` | numbers of typenum: by their names, or any `N: Unsigned` (feature `typenum`, on by default) |
/// | `f32[<=8, 3]` | the size of dimension 0 changes, and is at most 8; 8 are allocated |
/// | `f32[?, 3]` | a value of the type holds the size of dimension 0 |
/// | `f32[?M, ?_]` | the same, with names of up to 32 letters, which belong to the type: in a `#[kernel]` sizes of one name are equal, and `?_` is any size; [`renamed`](View::renamed) gives other names |
/// | `f32[8,4], sharding = {devices=[2,1]<=[2]}` | a sharded array, see [below](#sharded-arrays) |
///
/// # In types, expressions and patterns
/// The expansion is one path. With a `?` the value is a function from the sizes:
///
/// ```
/// use xlayout::{ArrayLayout, layout};
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
/// use xlayout::{ArrayLayout, layout};
///
/// layout! {
///     /// What the device returns.
///     pub type Result = f32[8,128]{1,0:T(8,128)};
///     type Rows<const N: usize> = f32[N,128];
/// }
/// assert_eq!(Result.bytes(), 4096);
/// assert_eq!(<Result>::BUFFER_LEN, Rows::<8>::BUFFER_LEN);
/// ```
///
/// # Sharded arrays
/// The option `sharding` takes XLA's text of a sharding. It is checked against the layout: one number
/// for each dimension (and subgroup), each device once. The type is a `types::Sharded`. Its
/// associated types are the layout of the whole array and that of the buffer on each device, and it
/// computes which part of the array a device holds. If the number of parts does not divide a
/// dimension, XLA pads: the size of the buffer is the quotient rounded up, and the last parts have
/// fewer elements.
///
#[cfg_attr(feature = "sharding", doc = "```")]
#[cfg_attr(not(feature = "sharding"), doc = "```ignore")]
/// use xlayout::types::ShardedLayout;
/// use xlayout::{ConstLayout, layout};
///
/// type Weights = layout!(f32[1000,512]{1,0}, sharding = {devices=[3,2]<=[6]});
/// type OnDevice = <Weights as ShardedLayout>::PerDevice; // layout!(f32[334,256]{1,0})
/// assert_eq!(OnDevice::DIMS, [334, 256]);
/// assert_eq!(Weights::NUM_DEVICES, Some(6));
/// assert_eq!(const { Weights::index_range(5) }, Some([668..1000, 256..512]));
/// ```
///
/// The size of a divided dimension is a number. Other sizes may be constants, parameters or `?`. This
/// needs the feature `sharding`.
///
/// # Errors
/// All errors are reported, each at its tokens. The messages are those of the run-time reader.
#[macro_export]
macro_rules! layout {
    ($($tokens:tt)*) => {
        $crate::__private::layout_impl! { [$crate] $($tokens)* }
    };
}

/// Matches a run-time layout against layouts known at compile time. It runs the body of the first arm
/// that has the same memory map, or of the last arm, `_`. In the body the type of the layout is known.
///
/// The value is a variable, or gets a name: `specialize!(x = expression, { … })`. It is a layout or a
/// view. In each arm the name is the same layout or view, with the type of the arm. An arm is the text
/// that [`layout!`] takes, several of them separated by `|`, or the name of a declared layout.
///
/// ```
/// use xlayout::{DynLayout, ArrayLayout, layout, specialize};
///
/// fn bytes(layout: &DynLayout) -> usize {
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

/// Makes a function a kernel: XLA and JAX call it with arrays in the layouts that it declares.
///
/// It needs the crate [`xlayout-kernel`](https://docs.rs/xlayout-kernel), which turns on the feature
/// `kernel`, and a library with `crate-type = ["cdylib"]`. The function does not change: tests and
/// other functions can call it. The macro adds the function that XLA calls. That function checks the
/// arguments and returns an error if they do not fit the declared types.
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
/// | `x: In<L>` | an argument; arguments have the sequence of the parameters |
/// | `mut y: Out<L>` | a result; its initial content is unspecified |
/// | `mut z: InOut<L>` | an argument and a result in one memory |
/// | `a: Scalar<f32>`, `w: &[i64]`, `s: &str` | an attribute, passed by the parameter's name; `Option<…>` of one may be left out |
/// | `x: In<Converted<L>>` | an argument that XLA passes row-major, and the function gets in any layout `L` |
/// | `#[also(L2)] x: In<L>` | an argument that XLA passes in `L` or in `L2`, see below |
/// | `x: DeviceIn<L>`, `y: DeviceOut<L>` | arrays in the memory of a GPU |
/// | `pool: Pool`, … | a property of the call |
///
/// `L` is a layout: [`layout!`] or the name of one. The documentation of `xlayout-kernel` lists the layouts that XLA passes.
///
/// # Sizes that are equal
/// In the layouts of a kernel's parameters, all `?` of the same dimension number are one size, all `?M`
/// are one size, and `?_` is any size. The names belong to the types, so aliases have them, too. A
/// call with sizes that differ is refused before the function runs:
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
/// # Options
/// | written | means |
/// |---|---|
/// | `name = "scale_f32"` | the name in Python and XLA, instead of the function's |
/// | `batch` | arrays may have additional leading dimensions; the function runs once for each index of them |
/// | `independent = "M"` | XLA may divide the dimensions of size `?M` among devices, see below |
/// | `isa = "baseline"` | the body is compiled once, for the compiler's target, see below |
/// | `command_buffer` | XLA may capture the calls of a kernel for a GPU in a command buffer |
/// | `crate = path::to::xlayout_kernel` | the path of the crate, if it is not `::xlayout_kernel` |
///
/// # Several layouts of one parameter
/// XLA copies an array whose layout is not the declared one. `#[also(…)]` names further layouts of a
/// parameter, of the same element type and sizes. The function is compiled for each, and XLA calls the one
/// that fits: in Python the call takes the layout that the array has. Under `jit`, where no layout is known
/// yet, it takes the first; `k.row_sums.layouts[1](x)` takes another. With several parameters there is one
/// copy of the function for each combination, 8 at most. The function itself has the first.
///
/// ```
/// # use xlayout::{ArrayLayout, layout};
/// # use xlayout_kernel::{In, Out};
/// #[xlayout::kernel]
/// fn row_sums(
///     #[also(layout!(f32[?M, ?N]{0,1}))] x: In<layout!(f32[?M, ?N]{1,0})>,
///     mut sums: Out<layout!(f32[?M]{0})>,
/// ) {
///     let [m, n] = x.layout().sizes();
///     for i in 0..m {
///         sums[[i]] = (0..n).map(|j| x[[i, j]]).sum();
///     }
/// }
/// # fn main() {}
/// ```
///
/// # Independent dimensions
/// A dimension is independent if the results of calls for its parts, side by side, are the result of one
/// call. `jit` over arrays that are spread over devices then runs the kernel on each device's part.
/// Otherwise XLA gathers every array on every device first. The dimensions are declared by the names of
/// their sizes, or in the notation of Shardy's rules: one list of names for each argument and each
/// result. A dimension `_`, and a name that not every result has, is whole on every device.
///
/// ```
/// # use xlayout::layout;
/// # use xlayout_kernel::{In, Out};
/// #[xlayout::kernel(independent = "i j, j -> i")] // the same as `independent = "M"`
/// fn product(
///     a: In<layout!(f32[?M,?K]{1,0})>,
///     x: In<layout!(f32[?K]{0})>,
///     mut y: Out<layout!(f32[?M]{0})>,
/// ) {
///     // …
/// #   let _ = (a, x, &mut y);
/// }
/// # fn main() {}
/// ```
///
/// # Sets of instructions
/// On x86-64 the macro writes the function once more for `x86-64-v3` (AVX2 and FMA) and once for
/// `x86-64-v4` (AVX-512; Rust 1.89 and later). XLA calls the last one that the processor has. A function
/// that the body calls has the instructions if it is inlined: write `#[inline(always)]` on it. A closure
/// of `pool.for_each(items, |item| …)` has them, where `pool` is a parameter of the kernel. Results do
/// not depend on the set, because the compiler does not join operations of floats; `mul_add` is exact
/// in every set, and slow in the baseline.
/// A `static` or an `impl` in the body would exist several times, so it is refused.
///
/// # Errors
/// A kernel returns nothing, or a `Result<()>` of any error. It has no generic parameters (types,
/// constants, lifetimes), and is not `async`, `const` or `unsafe`. All errors are reported at once.
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
/// `cargo build` and `cargo test` check the bounds, when they generate code; `cargo check` does not. In
/// a constant, `cargo check` checks them, too:
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
    ($layout:ident ($($coordinate:tt)*)) => {
        ::core::compile_error! {
            "write the coordinates of an index in square brackets\n\
             help: write `index!(A[1, 2])`, with the type of the layout before them"
        }
    };
    ($element_type:ident [$($size:tt)*] $($rest:tt)+) => {
        ::core::compile_error! {
            "`index!` takes the name of a layout's type, not the text of a layout\n\
             help: declare `type A = layout!(f32[2,3]);` and write `index!(A[1, 2])`"
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

/// The macros expand to these names. Not public: they may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use xlayout_core::__private::SpecializeInto;
    #[cfg(feature = "typenum")]
    pub use xlayout_core::__private::typenum;
    // Flat: each use of a macro names some of these, and the compiler resolves each part of a path.
    pub use crate::types::*;
    pub use xlayout_core::__private::{dtype::*, short_names::*};
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
