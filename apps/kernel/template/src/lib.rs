//! Kernels that JAX calls.

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar};

/// `y = a x`
#[xlayout_kernel::kernel(independent = "N")]
fn scale(a: Scalar<f32>, x: In<layout!(f32[?N]{0})>, mut y: Out<layout!(f32[?N]{0})>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = *a * x;
    }
}

#[cfg(test)]
mod tests {
    use xlayout::{SliceView, SliceViewMut, layout};
    use xlayout_kernel::{In, Out, Scalar};

    /// Every element of `y` is written, of no elements, too.
    #[test]
    fn scale() {
        let x = [1.0, 2.0, 3.0];
        for n in 0..=3 {
            let layout = layout!(f32[?N]{0})([n]).unwrap();
            let mut y = [f32::NAN; 3];
            super::scale(
                Scalar(2.0),
                In::new(SliceView::new(layout, &x[..n]).unwrap()),
                Out::new(SliceViewMut::new(layout, &mut y[..n]).unwrap()),
            );
            assert_eq!(y[..n], [2.0, 4.0, 6.0][..n]);
        }
    }
}
