//! The registers of aarch64: NEON, which all of them have.

use core::arch::aarch64::*;
use core::convert::identity;

use super::compiled::compiled;
use super::lanes::{Lanes, Next};
use crate::kernels::cost::Choice;
use crate::kernels::task::Task;

/// One lane, by NEON. The processor sees by itself that whole lines are written, so nothing is
/// streamed.
#[derive(Clone, Copy)]
pub(super) struct Neon(uint8x16_t);

impl Lanes for Neon {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: every aarch64 processor has NEON.
        Self(unsafe { vdupq_n_u8(0) })
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        macro_rules! zip {
            ($low:ident $high:ident $to:ident $from:ident) => {{
                // SAFETY: every aarch64 processor has NEON.
                unsafe {
                    let a = $to(self.0);
                    let b = $to(other.0);
                    (Self($from($low(a, b))), Self($from($high(a, b))))
                }
            }};
        }
        match W {
            1 => zip!(vzip1q_u8 vzip2q_u8 identity identity),
            2 => zip!(vzip1q_u16 vzip2q_u16 vreinterpretq_u16_u8 vreinterpretq_u8_u16),
            4 => zip!(vzip1q_u32 vzip2q_u32 vreinterpretq_u32_u8 vreinterpretq_u8_u32),
            _ => zip!(vzip1q_u64 vzip2q_u64 vreinterpretq_u64_u8 vreinterpretq_u8_u64),
        }
    }

    #[inline(always)]
    unsafe fn shuffle(self, bytes: &[u8; 16]) -> Self {
        // SAFETY: every aarch64 processor has NEON; 16 bytes are read. A number beyond 15 gives
        // zero.
        Self(unsafe { vqtbl1q_u8(self.0, vld1q_u8(bytes.as_ptr())) })
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        // SAFETY: every aarch64 processor has NEON.
        Self(unsafe { vorrq_u8(self.0, other.0) })
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { vld1q_u8(from) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_u8(to, self.0) }
    }

    #[inline(always)]
    unsafe fn prefetch<const CACHE: usize>(line: *const u8) {
        macro_rules! ask {
            ($instruction:literal) => {
                // SAFETY: the instruction only asks for a line; it reads nothing and traps nowhere.
                unsafe { core::arch::asm!($instruction, in(reg) line, options(nostack, preserves_flags, readonly)) }
            };
        }
        match CACHE {
            1 => ask!("prfm pldl1keep, [{0}]"),
            _ => ask!("prfm pldl2keep, [{0}]"),
        }
    }

    compiled!(Neon, "neon");
}
