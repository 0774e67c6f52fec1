//! The register of any processor.

use super::compiled::compiled;
use super::lanes::{Lanes, Next};
use crate::kernels::cost::Choice;
use crate::kernels::task::Task;

/// The register of any processor: two words. The tests compare other registers with it.
#[derive(Clone, Copy)]
pub(super) struct Portable([u8; 16]);

impl Lanes for Portable {
    const LANES: usize = 1;
    const FEW: bool = true;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self([0; 16])
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        let mut low = [0; 16];
        let mut high = [0; 16];
        for k in 0..8 {
            // Byte `k` of the elements at even places.
            let element = k / W;
            let byte = k % W;
            low[2 * element * W + byte] = self.0[k];
            low[(2 * element + 1) * W + byte] = other.0[k];
            high[2 * element * W + byte] = self.0[8 + k];
            high[(2 * element + 1) * W + byte] = other.0[8 + k];
        }
        (Self(low), Self(high))
    }

    #[inline(always)]
    unsafe fn shuffle(self, bytes: &[u8; 16]) -> Self {
        Self(bytes.map(|k| self.0.get(usize::from(k)).copied().unwrap_or(0)))
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        Self(core::array::from_fn(|k| self.0[k] | other.0[k]))
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller's promise; bytes need no alignment.
        Self(unsafe { from.cast::<[u8; 16]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's promise; bytes need no alignment.
        unsafe { to.cast::<[u8; 16]>().write(self.0) }
    }

    compiled!(Portable);
}
