//! The registers of x86-64: SSSE3, AVX2 and AVX-512.

use core::arch::x86_64::*;

use super::compiled::compiled;
use super::lanes::{Lanes, Next};
use super::permute::permuted;
use crate::kernels::cost::Choice;
use crate::kernels::task::Task;
use crate::machine::loads_whole_registers;

macro_rules! registers {
    ($(#[doc = $doc:literal] $name:ident($raw:ty), $lanes:literal, $few:literal, $feature:literal, zero $zero:ident, load $load:ident,
        store $store:ident, stream $stream:ident, zip $($lo:ident $hi:ident)*, gather |$from:ident, $step:ident| $gather:expr,
        scatter |$value:ident, $to:ident, $apart:ident| $scatter:expr,
        lanes |$a:ident, $b:ident| $zipped:expr, $unzipped:expr, or $or:ident, shuffle |$bytes:ident| $mask:expr, $shuffle:ident;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy)]
        pub(super) struct $name($raw);

        impl Lanes for $name {
            const LANES: usize = $lanes;
            const FEW: bool = $few;

            #[inline(always)]
            fn whole() -> bool {
                // A register of four lanes. Unit tests use both ways on any processor.
                $lanes == 4 && allowed!(Whole) && (cfg!(test) || loads_whole_registers())
            }

            #[inline(always)]
            fn permutes() -> bool {
                $lanes == 4 && has!(Vbmi: "avx512f", "avx512bw", "avx512vbmi")
            }

            #[inline(always)]
            unsafe fn permuted<const W: usize, const K: usize>(
                src: (*const u8, isize),
                dst: (*mut u8, isize),
                steps: usize,
                apart: bool,
                past: bool,
            ) {
                // SAFETY: the caller's promise.
                unsafe { permuted::<W, K>(src, dst, steps, apart, past) }
            }

            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the caller has the instructions.
                Self(unsafe { $zero() })
            }

            #[inline(always)]
            unsafe fn gather($from: *const u8, $step: isize) -> Self {
                // SAFETY: the caller has the instructions, and each lane can be read.
                Self(unsafe { $gather })
            }

            #[inline(always)]
            unsafe fn scatter(self, $to: *mut u8, $apart: isize) {
                let $value = self.0;
                // SAFETY: the caller has the instructions, and each lane can be written.
                unsafe { $scatter }
            }

            #[inline(always)]
            #[allow(unused_unsafe, reason = "one lane stays as it is")]
            unsafe fn zip_lanes(self, other: Self) -> (Self, Self) {
                let $a = self.0;
                let $b = other.0;
                // SAFETY: the caller has the instructions.
                let (first, last) = unsafe { $zipped };
                (Self(first), Self(last))
            }

            #[inline(always)]
            #[allow(unused_unsafe, reason = "one lane stays as it is")]
            unsafe fn unzip_lanes(self, other: Self) -> (Self, Self) {
                let $a = self.0;
                let $b = other.0;
                // SAFETY: the caller has the instructions.
                let (even, odd) = unsafe { $unzipped };
                (Self(even), Self(odd))
            }

            #[inline(always)]
            unsafe fn shuffle(self, $bytes: &[u8; 16]) -> Self {
                // SAFETY: the caller has the instructions; 16 bytes are read.
                Self(unsafe { $shuffle(self.0, $mask) })
            }

            #[inline(always)]
            unsafe fn or(self, other: Self) -> Self {
                // SAFETY: the caller has the instructions.
                Self(unsafe { $or(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
                registers!(@zip self.0, other.0, W, $($lo $hi)*)
            }

            #[inline(always)]
            unsafe fn load(from: *const u8) -> Self {
                // SAFETY: the caller has the instructions, and the bytes can be read.
                Self(unsafe { $load(from.cast()) })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut u8) {
                // SAFETY: the caller has the instructions, and the bytes can be written.
                unsafe { $store(to.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn stream(self, to: *mut u8) {
                // SAFETY: the caller has the instructions; the bytes can be written and are
                // aligned.
                unsafe { $stream(to.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn fence() {
                // SAFETY: SSE, which every x86-64 processor has.
                unsafe { _mm_sfence() };
            }

            #[inline(always)]
            unsafe fn prefetch<const CACHE: usize>(line: *const u8) {
                // SAFETY: SSE, which every x86-64 processor has; the instruction reads nothing.
                unsafe {
                    match CACHE {
                        1 => _mm_prefetch::<_MM_HINT_T0>(line.cast()),
                        _ => _mm_prefetch::<_MM_HINT_T1>(line.cast()),
                    }
                }
            }

            compiled!($name, $feature);
        }
    )*};
    (@zip $a:expr, $b:expr, $w:ident, $lo8:ident $hi8:ident $lo16:ident $hi16:ident $lo32:ident $hi32:ident $lo64:ident $hi64:ident) => {{
        let a = $a;
        let b = $b;
        // SAFETY: the caller has the instructions.
        let (low, high) = unsafe {
            match $w {
                1 => ($lo8(a, b), $hi8(a, b)),
                2 => ($lo16(a, b), $hi16(a, b)),
                4 => ($lo32(a, b), $hi32(a, b)),
                _ => ($lo64(a, b), $hi64(a, b)),
            }
        };
        (Self(low), Self(high))
    }};
}

registers! {
    #[doc = "One lane, by SSSE3."]
    Ssse3(__m128i), 1, true, "ssse3", zero _mm_setzero_si128, load _mm_loadu_si128,
    store _mm_storeu_si128, stream _mm_stream_si128,
    zip _mm_unpacklo_epi8 _mm_unpackhi_epi8 _mm_unpacklo_epi16 _mm_unpackhi_epi16
        _mm_unpacklo_epi32 _mm_unpackhi_epi32 _mm_unpacklo_epi64 _mm_unpackhi_epi64,
    gather |from, _step| _mm_loadu_si128(from.cast()),
    scatter |value, to, _step| _mm_storeu_si128(to.cast(), value),
    lanes |a, b| (a, b), (a, b),
    or _mm_or_si128, shuffle |bytes| _mm_loadu_si128(bytes.as_ptr().cast()), _mm_shuffle_epi8;
    #[doc = "Two lanes, by AVX2."]
    Avx2(__m256i), 2, false, "avx2", zero _mm256_setzero_si256, load _mm256_loadu_si256,
    store _mm256_storeu_si256, stream _mm256_stream_si256,
    zip _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 _mm256_unpacklo_epi16 _mm256_unpackhi_epi16
        _mm256_unpacklo_epi32 _mm256_unpackhi_epi32 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64,
    gather |from, step| _mm256_inserti128_si256::<1>(
        _mm256_castsi128_si256(_mm_loadu_si128(from.cast())),
        _mm_loadu_si128(from.offset(step).cast()),
    ),
    scatter |value, to, step| {
        _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(value));
        _mm_storeu_si128(to.offset(step).cast(), _mm256_extracti128_si256::<1>(value));
    },
    lanes |a, b| (
        _mm256_permute2x128_si256::<0x20>(a, b),
        _mm256_permute2x128_si256::<0x31>(a, b),
    ), (
        _mm256_permute2x128_si256::<0x20>(a, b),
        _mm256_permute2x128_si256::<0x31>(a, b),
    ),
    or _mm256_or_si256,
    shuffle |bytes| _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())),
    _mm256_shuffle_epi8;
    #[doc = "Four lanes, by AVX-512 F and BW."]
    Avx512(__m512i), 4, false, "avx512f,avx512bw", zero _mm512_setzero_si512, load _mm512_loadu_si512,
    store _mm512_storeu_si512, stream _mm512_stream_si512,
    zip _mm512_unpacklo_epi8 _mm512_unpackhi_epi8 _mm512_unpacklo_epi16 _mm512_unpackhi_epi16
        _mm512_unpacklo_epi32 _mm512_unpackhi_epi32 _mm512_unpacklo_epi64 _mm512_unpackhi_epi64,
    gather |from, step| {
        let first = _mm512_castsi128_si512(_mm_loadu_si128(from.cast()));
        let second = _mm_loadu_si128(from.offset(step).cast());
        let third = _mm_loadu_si128(from.offset(2 * step).cast());
        let fourth = _mm_loadu_si128(from.offset(3 * step).cast());
        let two = _mm512_inserti32x4::<1>(first, second);
        _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(two, third), fourth)
    },
    scatter |value, to, step| {
        _mm_storeu_si128(to.cast(), _mm512_castsi512_si128(value));
        _mm_storeu_si128(to.offset(step).cast(), _mm512_extracti32x4_epi32::<1>(value));
        _mm_storeu_si128(to.offset(2 * step).cast(), _mm512_extracti32x4_epi32::<2>(value));
        _mm_storeu_si128(to.offset(3 * step).cast(), _mm512_extracti32x4_epi32::<3>(value));
    },
    lanes |a, b| (
        _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), b),
        _mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), b),
    ), (
        _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b),
        _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b),
    ),
    or _mm512_or_si512,
    shuffle |bytes| _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())),
    _mm512_shuffle_epi8;
}
