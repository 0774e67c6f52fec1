//! The arrays of a kernel.
#![allow(unsafe_code)]

use core::fmt;
use core::marker::PhantomData;
use core::mem::{self, ManuallyDrop};
use core::ops::{Deref, DerefMut};

use crate::error::Error;
use crate::handler::Call;
use crate::kernel::{Direction, Kernel, Kind};
use crate::operand::{Operand, ViewMutOf, ViewOf};
use crate::parameter::{Parameter, sealed::Sealed};

/// An array that the kernel reads: the next argument of the call.
///
/// It derefs to a [`SliceView`](xlayout_core::SliceView), of [`Packed`](xlayout_core::Packed) items
/// where the layout packs elements (`s4[8]{0:E(4)}`). A test makes one from a view:
///
/// ```
/// use xlayout::{SliceView, layout};
/// use xlayout_kernel::In;
///
/// fn sum(x: In<layout!(f32[2,3]{1,0})>) -> f32 {
///     x.memory().iter().sum()
/// }
/// let x = SliceView::new(layout!(f32[2,3]{1,0}), &[1.0; 6][..]).unwrap();
/// assert_eq!(sum(In::new(x)), 6.0);
/// ```
///
/// Several of one layout can be a list:
///
/// ```
/// # use xlayout::{SliceView, layout};
/// # use xlayout_kernel::In;
/// type Row = layout!(f32[?N]{0});
/// fn sum(a: In<Row>, b: In<Row>) -> f32 {
///     [a, b].iter().flat_map(|x| x.memory()).sum()
/// }
/// # let row = |memory| In::new(SliceView::new(<Row>::with_sizes([2]).unwrap(), memory).unwrap());
/// # assert_eq!(sum(row(&[1.0, 2.0]), row(&[3.0, 4.0])), 10.0);
/// ```
pub struct In<'call, L: Operand>(Kept<'call, ViewOf<'static, L>>);

/// An array that the kernel writes: the next result of the call.
///
/// It derefs to a [`SliceViewMut`](xlayout_core::SliceViewMut), of [`Packed`](xlayout_core::Packed)
/// items where the layout packs elements. Its elements have any values before (`bool` is `false`):
/// the kernel writes all of them, also if a dimension over which it reduces has size 0
/// ([`lines`](crate::lines) helps). In builds with debug assertions, and where the environment
/// variable `XLAYOUT_POISON` is set, all its bytes are 255 before, so a float that was not written
/// is NaN. `XLAYOUT_POISON=0` turns this off. Other builds do not fill it: an element that is not
/// written has the bytes that the process had in this memory before.
///
/// ```
/// use xlayout::{SliceViewMut, layout};
/// use xlayout_kernel::Out;
///
/// fn ones(mut y: Out<layout!(f32[?]{0})>) {
///     y.memory_mut().fill(1.0);
/// }
/// let mut memory = [0.0; 3];
/// let layout = layout!(f32[?]{0})([3]).unwrap();
/// ones(Out::new(SliceViewMut::new(layout, &mut memory).unwrap()));
/// assert_eq!(memory, [1.0; 3]);
/// ```
pub struct Out<'call, L: Operand>(Kept<'call, ViewMutOf<'static, L>>);

/// An array that the kernel reads and overwrites: the next argument and the next result, which XLA
/// has in the same memory.
///
/// It derefs to what [`Out`] derefs to, and holds the argument. The call must declare that both are
/// one array: `jax.ffi.ffi_call(…, input_output_aliases={0: 0})`.
pub struct InOut<'call, L: Operand>(Kept<'call, ViewMutOf<'static, L>>);

/// A view of memory that lives for `'call`. Its type has the lifetime `'static`.
///
/// To the compiler `ViewOf<'call, L>` is another type for each call, even if one call lives longer
/// than the other, since it is a type of a trait. So two parameters would not be of one type, and
/// no list could hold both. Here the lifetime is in a field beside the view, so that the compiler
/// can shorten it.
struct Kept<'call, V>(V, PhantomData<&'call ()>);

/// A view with another lifetime.
///
/// # Safety
/// The two types differ in a lifetime only, so that they are the same in memory. The result lives
/// no longer than the view.
#[inline(always)]
unsafe fn with_lifetime<A, B>(view: A) -> B {
    const { assert!(size_of::<A>() == size_of::<B>()) };
    // SAFETY: the caller's promise.
    unsafe { mem::transmute_copy(&ManuallyDrop::new(view)) }
}

macro_rules! arrays {
    ($($name:ident $view:ident $take:ident $($keep:literal)?;)*) => {$(
        impl<'call, L: Operand> $name<'call, L> {
            /// The array of a view.
            #[inline(always)]
            pub fn new(view: $view<'call, L>) -> Self {
                // SAFETY: what leaves this type again has the lifetime of the call, or a shorter
                // one.
                Self(Kept(unsafe { with_lifetime(view) }, PhantomData))
            }

            /// The view, with the lifetime of the call.
            pub fn into_view(self) -> $view<'call, L> {
                // SAFETY: it had the lifetime of the call, or a longer one.
                unsafe { with_lifetime::<$view<'static, L>, _>(self.0.0) }
            }
        }

        impl<'call, L: Operand> Deref for $name<'call, L> {
            type Target = $view<'call, L>;
            #[inline(always)]
            fn deref(&self) -> &Self::Target {
                // SAFETY: the types differ in a lifetime only. Views are covariant in it: they hold
                // references.
                unsafe { &*(&raw const self.0.0).cast() }
            }
        }

        impl<'call, L: Operand> fmt::Debug for $name<'call, L>
        where
            $view<'call, L>: fmt::Debug,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&**self).finish()
            }
        }

        impl<L: Operand> Sealed for $name<'_, L> {}

        impl<'call, L: Operand> Parameter<'call> for $name<'call, L> {
            const KIND: Kind = Kind::Buffer(Direction::$name, L::SPEC);

            #[inline(always)]
            unsafe fn take(call: &Call<'call>, kernel: &'static Kernel, parameter: usize) -> Result<Self, Error> {
                let spec = &const { L::SPEC };
                let (dims, memory) = call.memory(kernel, parameter, Direction::$name, spec)?;
                // SAFETY: the caller's promise: declared with this type, which is an argument or a
                // result as the view is, and taken once.
                match unsafe { memory.$take::<L>(dims $(, $keep)?) } {
                    Ok(view) => Ok(Self::new(view)),
                    Err(wrong) => Err(call.refuse(parameter, wrong)),
                }
            }
        }
    )*};
}
arrays! {
    In ViewOf view;
    Out ViewMutOf view_mut false;
    InOut ViewMutOf view_mut true;
}

macro_rules! written {
    ($($name:ident)*) => {$(
        impl<'call, L: Operand> DerefMut for $name<'call, L> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut Self::Target {
                // SAFETY: as for `deref`.
                unsafe { &mut *(&raw mut self.0.0).cast() }
            }
        }
    )*};
}
written!(Out InOut);
