//! Lines of an array: slices of one length, also where that length is 0.

use core::iter::FusedIterator;
use core::mem;

use sealed::Sealed;

/// The memory of an array in `count` lines of one length: the rows of a row-major matrix, the
/// columns of a column-major one. `memory` is a slice to read or to write.
///
/// Unlike `chunks(n)`, it gives all `count` lines if their length is 0. So a kernel that reduces
/// rows without elements writes a result for each row.
///
/// # Panics
/// If `memory` is not `count` lines of one length.
///
/// ```
/// use xlayout_kernel::lines;
///
/// fn sums(x: &[f32], sums: &mut [f32]) {
///     for (row, sum) in lines(x, sums.len()).zip(sums) {
///         *sum = row.iter().sum();
///     }
/// }
/// let mut found = [f32::NAN; 2];
/// sums(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut found);
/// assert_eq!(found, [6.0, 15.0]);
/// sums(&[], &mut found);
/// assert_eq!(found, [0.0, 0.0]);
/// ```
#[inline(always)]
#[track_caller]
pub fn lines<S: Slice>(memory: S, count: usize) -> Lines<S> {
    let elements = memory.elements();
    let length = match count {
        0 => 0,
        count => elements / count,
    };
    assert!(
        length * count == elements,
        "{elements} elements are not {count} lines of one length: give the number of lines, which \
         is the product of the sizes of all dimensions but those of a line"
    );
    Lines {
        memory,
        length,
        count,
    }
}

/// A slice that [`lines`] divides: `&[T]` or `&mut [T]`. It is sealed.
pub trait Slice: Default + Sealed {
    #[doc(hidden)]
    fn elements(&self) -> usize;
    #[doc(hidden)]
    fn split(self, at: usize) -> (Self, Self);
}

mod sealed {
    /// Only this crate implements it.
    pub trait Sealed {}
}

macro_rules! slices {
    ($($slice:ty: $split:ident;)*) => {$(
        impl<T> Sealed for $slice {}

        impl<T> Slice for $slice {
            #[inline(always)]
            fn elements(&self) -> usize {
                <[T]>::len(self)
            }

            #[inline(always)]
            fn split(self, at: usize) -> (Self, Self) {
                self.$split(at)
            }
        }
    )*};
}
slices! {
    &[T]: split_at;
    &mut [T]: split_at_mut;
}

/// Lines of one length; [`lines`] makes it.
///
/// Invariant: `memory` is `count` lines of `length` elements.
#[derive(Clone, Debug)]
pub struct Lines<S> {
    memory: S,
    length: usize,
    count: usize,
}

impl<S: Slice> Lines<S> {
    /// These lines, `count` at a time (at least 1): the shares of the threads of a
    /// [`Pool`](crate::Pool). The last share may have fewer.
    ///
    /// ```
    /// use xlayout_kernel::{Pool, lines};
    ///
    /// let (x, mut sums) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0; 3]);
    /// let shares = lines(&x[..], 3).shares(2).zip(sums.chunks_mut(2));
    /// Pool::here().for_each(shares, |(rows, sums)| {
    ///     for (row, sum) in rows.zip(sums) {
    ///         *sum = row.iter().sum::<f32>();
    ///     }
    /// });
    /// assert_eq!(sums, [3.0, 7.0, 11.0]);
    /// ```
    #[inline(always)]
    pub fn shares(self, count: usize) -> Shares<S> {
        Shares {
            lines: self,
            count: count.max(1),
        }
    }

    /// The memory of all lines.
    #[inline(always)]
    pub fn memory(self) -> S {
        self.memory
    }

    /// The elements of a line.
    #[inline(always)]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Removes and returns the first lines, at most `count`.
    #[inline(always)]
    fn first(&mut self, count: usize) -> Self {
        let count = count.min(self.count);
        let (memory, rest) = mem::take(&mut self.memory).split(count * self.length);
        self.memory = rest;
        self.count -= count;
        Self {
            memory,
            length: self.length,
            count,
        }
    }
}

impl<S: Slice> Iterator for Lines<S> {
    type Item = S;

    #[inline(always)]
    fn next(&mut self) -> Option<S> {
        (self.count > 0).then(|| self.first(1).memory)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

/// For what goes backwards, such as a scan in reverse.
impl<S: Slice> DoubleEndedIterator for Lines<S> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<S> {
        let before = self.count.checked_sub(1)?;
        let (memory, last) = mem::take(&mut self.memory).split(before * self.length);
        (self.memory, self.count) = (memory, before);
        Some(last)
    }
}

impl<S: Slice> ExactSizeIterator for Lines<S> {}
impl<S: Slice> FusedIterator for Lines<S> {}

/// Lines, several at a time; [`Lines::shares`] makes it.
#[derive(Clone, Debug)]
pub struct Shares<S> {
    lines: Lines<S>,
    count: usize,
}

impl<S: Slice> Iterator for Shares<S> {
    type Item = Lines<S>;

    #[inline(always)]
    fn next(&mut self) -> Option<Lines<S>> {
        (self.lines.count > 0).then(|| self.lines.first(self.count))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.lines.count.div_ceil(self.count);
        (left, Some(left))
    }
}

impl<S: Slice> ExactSizeIterator for Shares<S> {}
impl<S: Slice> FusedIterator for Shares<S> {}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn every_line_is_there_of_any_length() {
        for count in 0..5 {
            for length in 0..4 {
                let memory: Vec<usize> = (0..count * length).collect();
                // For empty memory the number of lines alone determines the result.
                let expected: Vec<Vec<usize>> = (0..count)
                    .map(|k| (k * length..(k + 1) * length).collect())
                    .collect();
                assert_eq!(lines(&memory[..], count).len(), count);
                assert!(lines(&memory[..], count).eq(expected.iter()));
                assert!(lines(&memory[..], count).rev().eq(expected.iter().rev()));
                let mut written = memory.clone();
                for (line, expected) in lines(&mut written[..], count).zip(&expected) {
                    assert_eq!(line, expected);
                    line.fill(7);
                }
                assert_eq!(written, vec![7; count * length]);
                for share in 1..6 {
                    let shares = lines(&memory[..], count).shares(share);
                    assert_eq!(shares.len(), count.div_ceil(share));
                    let shares: Vec<Vec<_>> = shares.map(Iterator::collect).collect();
                    assert!(shares.iter().map(Vec::as_slice).eq(expected.chunks(share)));
                }
            }
        }
        // 0 at a time counts as 1.
        assert_eq!(lines(&[1, 2][..], 2).shares(0).count(), 2);
    }

    #[test]
    #[should_panic(expected = "5 elements are not 2 lines of one length")]
    fn lines_have_one_length() {
        let _ = lines(&[0; 5][..], 2);
    }

    #[test]
    #[should_panic(expected = "5 elements are not 0 lines of one length")]
    fn no_lines_have_no_elements() {
        let _ = lines(&[0; 5][..], 0);
    }
}
