//! The memory that the race runs in.

use xlayout_core::ArrayLayout;

use crate::case::Case;
use crate::value::Value;

/// The alignment of a buffer's first element in bytes: a cache line.
const ALIGNMENT: usize = 64;

/// Elements that begin at a cache line. All pages have been written to.
pub(crate) struct Buffer<T> {
    elements: Vec<T>,
    begin: usize,
    len: usize,
}

impl<T: Value> Buffer<T> {
    /// A buffer filled with one value, in large pages if the system may use them.
    pub(crate) fn new(len: usize, value: T, large_pages: bool) -> Self {
        let spare = ALIGNMENT / size_of::<T>();
        let mut elements = Vec::with_capacity(len + spare);
        if large_pages {
            advise(elements.spare_capacity_mut());
        }
        elements.resize(len + spare, value);
        let begin = elements.as_ptr().align_offset(ALIGNMENT).min(spare);
        Self {
            elements,
            begin,
            len,
        }
    }

    pub(crate) fn get(&self) -> &[T] {
        &self.elements[self.begin..self.begin + self.len]
    }

    pub(crate) fn get_mut(&mut self) -> &mut [T] {
        &mut self.elements[self.begin..self.begin + self.len]
    }
}

/// Advises Linux to use large pages for memory that nothing was written to.
#[cfg(target_os = "linux")]
fn advise<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
    const PAGE: usize = 4096;
    let begin = memory.as_mut_ptr().cast::<u8>();
    let skipped = begin.align_offset(PAGE);
    let whole = size_of_val(memory).saturating_sub(skipped) / PAGE * PAGE;
    // SAFETY: pages of this allocation. The advice changes no byte; an error means that it was not
    // taken.
    let _ = unsafe { libc::madvise(begin.add(skipped).cast(), whole, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &mut [std::mem::MaybeUninit<T>]) {
    unreachable!("`--large-pages` is refused elsewhere")
}

/// The expected destination after a copy: every element by the linear indices of both layouts, and
/// unchanged padding.
pub(crate) fn expected<T: Value>(case: &Case, src: &[T]) -> Vec<T> {
    let mut expected = vec![T::BEFORE; case.dst.buffer_len()];
    case.dst.for_each_in_memory(|index, linear| {
        expected[linear] = src[case.src.linear_index(index)];
    });
    expected
}

/// Compares a destination with the expected one. The error is the first difference.
pub(crate) fn compare<T: Value>(case: &Case, expected: &[T], found: &[T]) -> Result<(), String> {
    let Some(at) = (0..expected.len()).find(|&k| expected[k] != found[k]) else {
        return Ok(());
    };
    let wanted = expected[at];
    let found = found[at];
    Err(match case.dst.multi_index(at) {
        Some(index) => format!(
            "the element at {:?}, linear index {at}, is {found:?} and should be {wanted:?}",
            &index[..]
        ),
        None => format!("the padding at linear index {at} was written to: {found:?}"),
    })
}
