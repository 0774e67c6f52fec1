//! A struct of weights: arrays of several layouts, borrowed or owned, and a layer of a network over
//! them.

use xlayout::prelude::*;

layout! {
    /// As the file has them: column-major.
    type Kernel = f32[3,4]{0,1};
    type Bias = f32[4];
}

/// The weights of a layer, in memory that something else owns.
struct Weights<'a> {
    kernel: SliceView<'a, f32, Kernel>,
    bias: SliceView<'a, f32, Bias>,
}

impl<'a> Weights<'a> {
    /// # Errors
    /// When the buffer is too short.
    fn new(buffer: &'a [f32]) -> Result<Self, LayoutError> {
        let (kernel, bias) = buffer.split_at(Kernel.buffer_len().min(buffer.len()));
        Ok(Self {
            kernel: SliceView::new(Kernel, kernel)?,
            bias: SliceView::new(Bias, bias)?,
        })
    }

    /// y = max(x * kernel + bias, 0), for any number of rows and any layout of `x` and `y`.
    fn layer(&self, x: &ArrayRef<f32, impl Rank<2>>, y: &mut ArrayRef<f32, impl Rank<2>>) {
        for i in y.axis::<0>() {
            for j in y.axis::<1>() {
                let mut sum = self.bias[(j,)];
                for k in x.axis::<1>() {
                    sum += x[(i, k)] * self.kernel[(k, j)];
                }
                y[(i, j)] = sum.max(0.0);
            }
        }
    }
}

pub(crate) fn run() -> Result<(), LayoutError> {
    let buffer: Vec<f32> = (0..16).map(|n| n as f32 - 6.0).collect();
    let weights = Weights::new(&buffer)?;
    let x = Array::from_fn(layout!(f32[?,3])([2, 3])?, |&[i, k]| (i + k) as f32)?;
    let mut y = Array::zeros(layout!(f32[?,4]{0,1})([2, 4])?)?;
    weights.layer(&x, &mut y);
    assert_eq!(
        y.to_nested::<[[f32; 4]; 2], 2>()?,
        [[0.0, 3.0, 13.0, 23.0], [0.0, 0.0, 16.0, 35.0]]
    );
    println!("{y:?}");
    Ok(())
}
