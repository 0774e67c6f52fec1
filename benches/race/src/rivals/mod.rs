//! The contestants: ours, two plain copies of the same bytes, and the crates that can permute an
//! array.

mod copies;
#[cfg(hptt)]
mod hptt;
mod mdarray;
mod ndarray;
mod nt_copy;
mod ours;
pub(crate) mod python;
mod strided;
mod transpose;

use std::hint::black_box;
use std::time::Duration;

use crate::case::Case;
use crate::options::Options;
use crate::permute::Permutation;
use crate::time::Time;
use crate::value::Value;

/// Every name in the output, in its sequence. The last two appear if they are requested, and with
/// several threads.
pub(crate) const NAMES: [&str; 16] = [
    "xlayout",
    "memcpy",
    "nt_copy",
    "ndarray",
    "mdarray",
    "transpose",
    "strided_kernel",
    "strided_perm",
    "hptt",
    "numpy",
    "torch",
    "xla_jit",
    "xla_device_put",
    "xlayout_measured",
    "xlayout_estimated",
    "xlayout_one_thread",
];

/// The contestants that are not rivals: ours, and copies that do not move elements.
pub(crate) const NO_RIVALS: [&str; 6] = [
    "xlayout",
    "memcpy",
    "nt_copy",
    "xlayout_measured",
    "xlayout_estimated",
    "xlayout_one_thread",
];

/// A contestant, prepared for one case.
pub(crate) trait Contestant<T: Value> {
    /// Its name in the output.
    fn name(&self) -> &'static str;

    /// Whether it permutes the elements; a plain copy does not.
    fn permutes(&self) -> bool {
        true
    }

    /// Copies a number of times, and returns the time. Data that a user would prepare once are
    /// prepared before the time begins. The loop is in this function, so that the shortest copies
    /// are not measured with a virtual call.
    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String>;

    /// The same, each time to a destination of this many elements that is allocated and freed
    /// within the time. It is allocated as zeros, which the allocator does not need to write to new
    /// pages.
    fn time_with_allocation(
        &mut self,
        src: &[T],
        len: usize,
        times: u32,
    ) -> Result<Duration, String> {
        let start = Time::now();
        for _ in 0..times {
            let mut dst = vec![T::ZERO; len];
            self.time(src, &mut dst, 1)?;
            black_box(&dst);
        }
        Ok(start.elapsed())
    }
}

/// The time of a number of calls.
#[inline(always)]
fn clock(times: u32, mut call: impl FnMut()) -> Duration {
    let start = Time::now();
    for _ in 0..times {
        call();
    }
    start.elapsed()
}

/// All contestants of a case. With several threads, those that can use them.
pub(crate) fn contestants<T: Value>(
    case: &Case,
    options: &Options,
) -> Result<Vec<Box<dyn Contestant<T>>>, String> {
    let threads = options.threads;
    let mut all: Vec<Box<dyn Contestant<T>>> = Vec::new();
    all.extend(ours::new(case, options)?);
    all.push(Box::new(copies::Memcpy(threads)));
    if nt_copy::available() {
        all.push(Box::new(nt_copy::NtCopy(threads)));
    }
    let permutation = Permutation::of(&case.src, &case.dst);
    if let Some(permutation) = permutation.as_ref().filter(|_| threads == 1) {
        all.extend(ndarray::new(permutation));
        all.extend(mdarray::new(permutation));
        all.extend(transpose::new(permutation));
        all.push(Box::new(strided::Kernel::new(permutation)));
        all.push(Box::new(strided::Perm::new(permutation)));
    }
    #[cfg(hptt)]
    all.extend(permutation.and_then(|permutation| hptt::new(permutation, threads)));
    // `memcpy` always runs, because the others are compared with it.
    all.retain(|one| one.name() == "memcpy" || options.wants(one.name()));
    Ok(all)
}
