//! `transpose`: out of place, of one matrix or of several one after the other.

use std::hint::black_box;
use std::time::Duration;

use super::{Contestant, clock};
use crate::permute::Permutation;
use crate::value::Value;

struct Transpose {
    rows: usize,
    columns: usize,
}

pub(super) fn new<T: Value>(permutation: &Permutation) -> Option<Box<dyn Contestant<T>>> {
    let (_, rows, columns) = permutation.matrices()?;
    Some(Box::new(Transpose { rows, columns }))
}

impl<T: Value> Contestant<T> for Transpose {
    fn name(&self) -> &'static str {
        "transpose"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        let matrix = self.rows * self.columns;
        Ok(clock(times, || {
            let src = black_box(src).chunks_exact(matrix);
            let dst = black_box(&mut *dst).chunks_exact_mut(matrix);
            for (src, dst) in src.zip(dst) {
                transpose::transpose(src, dst, self.columns, self.rows);
            }
        }))
    }
}
