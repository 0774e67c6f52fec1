//! `nt_copy`: a copy of the same bytes whose stores bypass the caches. Above the size of the caches
//! it is faster than the C library's copy, which cannot know how the bytes are used.

use std::hint::black_box;
use std::time::Duration;

use super::copies::in_parts;
use super::{Contestant, clock};
use crate::value::Value;

/// The copy, by this number of threads.
pub(super) struct NtCopy(pub(super) usize);

impl<T: Value> Contestant<T> for NtCopy {
    fn name(&self) -> &'static str {
        "nt_copy"
    }

    fn permutes(&self) -> bool {
        false
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        Ok(if self.0 == 1 {
            clock(times, || copy(black_box(src), black_box(&mut *dst)))
        } else {
            clock(times, || {
                in_parts(self.0, black_box(src), black_box(&mut *dst), copy)
            })
        })
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::available;
#[cfg(target_arch = "x86_64")]
use x86::copy;

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn available() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
fn copy<T: Value>(src: &[T], dst: &mut [T]) {
    dst.copy_from_slice(src);
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that have no safe form")]
mod x86 {
    use std::arch::x86_64::{
        _mm_sfence, _mm256_loadu_si256, _mm256_stream_si256, _mm512_loadu_si512,
        _mm512_stream_si512,
    };

    /// Whether this processor has the instructions.
    pub(crate) fn available() -> bool {
        is_x86_feature_detected!("avx2")
    }

    /// Copies whole cache lines of the destination by streaming stores, and the ends by plain
    /// stores.
    pub(super) fn copy<T: Copy>(src: &[T], dst: &mut [T]) {
        const LINE: usize = 64;
        let per_line = LINE / size_of::<T>();
        let len = src.len().min(dst.len());
        let head = dst.as_ptr().align_offset(LINE).min(len);
        let lines = (len - head) / per_line;
        let tail = head + lines * per_line;
        dst[..head].copy_from_slice(&src[..head]);
        dst[tail..len].copy_from_slice(&src[tail..len]);
        let from = &src[head..tail];
        let to = &mut dst[head..tail];
        // SAFETY: both slices hold `lines` whole lines, and `to` begins at a cache line, or is
        // empty. The processor has what each function needs. A `T` is `Copy`, every byte of it
        // is copied, and two borrows do not overlap.
        unsafe {
            if is_x86_feature_detected!("avx512f") {
                lines_512(from.as_ptr().cast(), to.as_mut_ptr().cast(), lines);
            } else if available() {
                lines_256(from.as_ptr().cast(), to.as_mut_ptr().cast(), lines);
            } else {
                to.copy_from_slice(from);
            }
        }
    }

    /// # Safety
    /// `lines` times 64 bytes can be read at `src` and written at `dst`, which is aligned to 64.
    #[target_feature(enable = "avx512f")]
    unsafe fn lines_512(src: *const u8, dst: *mut u8, lines: usize) {
        for line in 0..lines {
            // SAFETY: the line is one of those that the caller vouches for.
            unsafe {
                let value = _mm512_loadu_si512(src.add(line * 64).cast());
                _mm512_stream_si512(dst.add(line * 64).cast(), value);
            }
        }
        _mm_sfence();
    }

    /// # Safety
    /// `lines` times 64 bytes can be read at `src` and written at `dst`, which is aligned to 64.
    #[target_feature(enable = "avx2")]
    unsafe fn lines_256(src: *const u8, dst: *mut u8, lines: usize) {
        for half in 0..lines * 2 {
            // SAFETY: the half line is in one of those that the caller vouches for.
            unsafe {
                let value = _mm256_loadu_si256(src.add(half * 32).cast());
                _mm256_stream_si256(dst.add(half * 32).cast(), value);
            }
        }
        _mm_sfence();
    }
}
