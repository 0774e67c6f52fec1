//! A layout of known rank with strides that are known at run time.

use core::fmt;
use core::str::FromStr;

use super::dyn_layout::{Dyn, Step};
use crate::laid_out::{AnyType, LaidOut, sealed};
use crate::misfit::Misfit;
use crate::modes::{Mode, Numbers, Resolved};
use crate::{ArrayShape, PrimitiveType};

/// A layout of rank `N` that has strides, all numbers known at run time: dense or padded, in any
/// minor-to-major sequence.
///
/// The fast form of a [`Dyn`] for kernels that know the rank: a linear index is `N`
/// multiplications and additions.
///
/// ```
/// use xlayout_core::{Dyn, LaidOut, Strided};
///
/// let layout: Dyn = "f32[2,3]{0,1}".parse().unwrap();
/// let fast: Strided<2> = Strided::new(&layout).unwrap();
/// assert_eq!(fast.linear_index(&[1, 2]), 5);
/// assert_eq!(fast.multi_index(5), Some([1, 2]));
/// ```
#[derive(Clone)]
pub struct Strided<const N: usize> {
    strides: [usize; N],
    sizes: [usize; N],
    numbers: Numbers,
    /// The modes, most minor first, `len` of them; and the divisions by their strides.
    modes: [Mode; N],
    steps: [Step; N],
    len: usize,
    /// Whether linear indices fit in 32 bits, so that `steps` may be used.
    narrow: bool,
    shape: ArrayShape,
}

impl<const N: usize> Strided<N> {
    /// The strides of a dynamic layout.
    ///
    /// # Errors
    /// When the rank is another one, or the layout is tiled.
    pub fn new(layout: &Dyn) -> Result<Self, Misfit> {
        if layout.rank() != N {
            return Err(Misfit::Rank { expected: N, found: layout.rank() });
        }
        let found = layout.strides().ok_or(Misfit::NotStrided)?;
        let mut strides = [0; N];
        strides.copy_from_slice(&found);
        let mut sizes = [0; N];
        sizes.copy_from_slice(layout.dims());
        layout.with_resolved(sealed::Token, |resolved| {
            let mut modes = [Mode::NONE; N];
            let mut steps = [Step::NONE; N];
            let mut narrow = true;
            for (k, &mode) in resolved.modes.iter().enumerate() {
                modes[k] = mode;
                match Step::of(resolved.modes, k, resolved.numbers.places) {
                    Some(step) => steps[k] = step,
                    None => narrow = false,
                }
            }
            Ok(Self {
                strides,
                sizes,
                numbers: resolved.numbers,
                modes,
                steps,
                len: resolved.modes.len(),
                narrow,
                shape: layout.array_shape().clone(),
            })
        })
    }

    /// The stride of each dimension in elements.
    #[inline(always)]
    #[must_use]
    pub const fn stride_table(&self) -> &[usize; N] {
        &self.strides
    }
}

impl<const N: usize> sealed::Sealed for Strided<N> {}

impl<const N: usize> LaidOut for Strided<N> {
    type Type = AnyType;
    type Coordinates = [usize; N];
    const PROVEN: bool = false;

    fn element_type(&self) -> PrimitiveType {
        self.shape.element_type
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        N
    }

    #[inline(always)]
    fn sizes(&self) -> [usize; N] {
        self.sizes
    }

    #[inline(always)]
    fn linear_index(&self, index: &[usize; N]) -> usize {
        let mut linear = 0_usize;
        for d in 0..N {
            linear = linear.wrapping_add(index[d].wrapping_mul(self.strides[d]));
        }
        linear
    }

    #[inline]
    fn multi_index(&self, linear_index: usize) -> Option<[usize; N]> {
        if linear_index >= self.numbers.places || self.numbers.elements == 0 {
            return None;
        }
        let index = self.multi_index_of_element(linear_index);
        // In a gap of the padding the digits add up to something else, or run out of bounds.
        (self.in_bounds(&index) && self.linear_index(&index) == linear_index).then_some(index)
    }

    #[inline(always)]
    fn multi_index_of_element(&self, linear_index: usize) -> [usize; N] {
        let mut index = [0; N];
        if self.narrow {
            let linear = linear_index as u32;
            let mut above = 0_u32;
            for k in (0..N).rev() {
                if k < self.len {
                    // Independent of each other: the divisions overlap in the processor.
                    let count = self.steps[k].count(linear);
                    let digit = count.wrapping_sub(above.wrapping_mul(self.steps[k].ratio));
                    above = count;
                    index[self.modes[k].dim % N] = digit as usize;
                }
            }
        } else {
            let mut rest = linear_index;
            for mode in self.modes[..self.len].iter().rev() {
                index[mode.dim] = rest / mode.stride;
                rest %= mode.stride;
            }
        }
        index
    }

    fn with_resolved<R>(&self, _: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        use_(Resolved {
            sizes: &self.sizes,
            modes: &self.modes[..self.len],
            terms: &[],
            numbers: self.numbers,
        })
    }

    fn shape(&self) -> ArrayShape {
        self.shape.clone()
    }

    fn strides(&self) -> Option<[usize; N]> {
        Some(self.strides)
    }
}

impl<const N: usize> FromStr for Strided<N> {
    type Err = Misfit;
    fn from_str(text: &str) -> Result<Self, Misfit> {
        Self::new(&text.parse()?)
    }
}

impl<const N: usize> fmt::Debug for Strided<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strided({})", self.shape)
    }
}
