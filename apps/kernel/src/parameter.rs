//! What may be a parameter of a kernel.

use crate::error::Error;
use crate::fast_check::{Declares, FastCheck};
use crate::handler::Call;
use crate::kernel::{Kernel, Kind};

/// A type that a parameter of a kernel may have: an array ([`In`](crate::In), [`Out`](crate::Out),
/// [`InOut`](crate::InOut)), an attribute ([`Scalar`](crate::Scalar), `&[T]`, `&str`,
/// [`Word`](crate::Word), an `Option` of them), or information of XLA about the call
/// ([`Pool`](crate::Pool), …).
#[diagnostic::on_unimplemented(
    message = "a kernel cannot have a parameter of type `{Self}`",
    label = "no parameter of a kernel",
    note = "arrays are `In<layout!(…)>`, `Out<layout!(…)>` or `InOut<layout!(…)>`; attributes \
            `Scalar<f32>`, `&[i64]`, `&str`, `Word<…>`, or an `Option` of one of them; and there \
            are `Pool`, `DeviceOrdinal` and `RunId`"
)]
pub trait Parameter<'call>: sealed::Sealed + Sized {
    #[doc(hidden)]
    const KIND: Kind;
    /// The value for this call, of the parameter with this number, which was declared with this
    /// type.
    ///
    /// # Safety
    /// The kernel is that of the call, and the parameter is taken once in a run.
    #[doc(hidden)]
    #[allow(unsafe_code)]
    unsafe fn take(
        call: &Call<'call>,
        kernel: &'static Kernel,
        parameter: usize,
    ) -> Result<Self, Error>;
    /// Whether the fast check accepts parameter `P` of the kernel, which is declared with this
    /// type.
    #[doc(hidden)]
    #[inline(always)]
    fn passes<K: Declares, const P: usize>(fast_check: &FastCheck<'_, K>) -> bool {
        fast_check.at::<P>(const { &Self::KIND })
    }
}

pub(crate) mod sealed {
    pub trait Sealed {}
}
