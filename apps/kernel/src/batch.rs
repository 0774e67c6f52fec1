//! Kernels that run once for each index of additional leading dimensions.

use crate::fault::{Fault, Place, Wrong};
use crate::frame::{Operands, dims};
use crate::kernel::{Kernel, Kind};

/// The leading dimensions of a call, which the kernel did not declare.
///
/// Their sizes are those of the first result, or of the first argument if there is no result. Other
/// results have the same sizes. In an argument, each size is the same or 1.
#[derive(Clone, Copy)]
pub(crate) struct Batch<'call> {
    /// The leading sizes.
    pub(crate) sizes: &'call [i64],
    /// The index of the run, row-major.
    pub(crate) index: usize,
}

impl<'call> Batch<'call> {
    /// No leading dimensions: one run.
    pub(crate) const NONE: Self = Self {
        sizes: &[],
        index: 0,
    };

    /// The leading dimensions of a call.
    pub(crate) fn of(
        kernel: &Kernel,
        arguments: &Operands<'call>,
        results: &Operands<'call>,
    ) -> Result<Self, Fault> {
        let first_array = |results_only: bool| {
            let mut parameters = kernel.source.parameters.iter().enumerate();
            parameters.find_map(|(p, declared)| match &declared.kind {
                Kind::Buffer(direction, spec) if direction.is_result() || !results_only => {
                    Some((p, *direction, spec.dims.len()))
                }
                _ => None,
            })
        };
        let Some((p, direction, rank)) = first_array(true).or_else(|| first_array(false)) else {
            return Ok(Self::NONE);
        };
        let place = kernel.places[p];
        let (at, operands) = if direction.is_result() {
            (Place::Result(place.result), results)
        } else {
            (Place::Argument(place.argument), arguments)
        };
        let all =
            dims(operands.buffer(at.number())?).map_err(|_| Fault::at(p, at, Wrong::Dimensions))?;
        let Some(leading) = all.len().checked_sub(rank) else {
            return Err(Fault::at(p, at, Wrong::Rank));
        };
        let mut runs = 1_i64;
        for (d, &size) in all[..leading].iter().enumerate() {
            if size < 0 {
                return Err(Fault::at(p, at, Wrong::NegativeBatch { dimension: d }));
            }
            runs = match runs.checked_mul(size) {
                Some(runs) => runs,
                None => return Err(Fault::at(p, at, Wrong::TooLarge)),
            };
        }
        Ok(Self {
            sizes: &all[..leading],
            index: 0,
        })
    }

    /// How many leading dimensions there are.
    #[inline(always)]
    pub(crate) fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// How many runs there are.
    #[inline(always)]
    pub(crate) fn runs(&self) -> usize {
        // `of` checked that the product fits.
        self.sizes.iter().map(|&size| size as usize).product()
    }

    /// Checks the leading sizes of an array, and returns its number of items.
    pub(crate) fn check(&self, leading: &[i64], repeats: bool) -> Result<usize, Wrong> {
        let mut count = 1_usize;
        for (d, (&found, &size)) in leading.iter().zip(self.sizes).enumerate() {
            if found != size && !(repeats && found == 1) {
                return Err(Wrong::Batch { dimension: d });
            }
            // The product of these sizes or of some of them. It fits, unless a size that is left
            // out is 0.
            count = count.saturating_mul(found as usize);
        }
        Ok(count)
    }

    /// The number of the item that this run gets from an array with these leading sizes.
    #[inline(always)]
    pub(crate) fn item(&self, leading: &[i64]) -> usize {
        let mut item = 0;
        let mut stride = 1;
        let mut rest = self.index;
        for (&found, &size) in leading.iter().zip(self.sizes).rev() {
            let size = size as usize;
            let at = rest % size;
            rest /= size;
            // Along a size of 1, all runs get the same item.
            if found != 1 {
                item += at * stride;
            }
            stride *= found as usize;
        }
        item
    }
}
