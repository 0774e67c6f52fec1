//! A declaration is a type and a value.
use xlayout::{ArrayLayout, layout};

layout! {
    /// Documented.
    #[allow(dead_code)]
    pub type A = f32[2,3]{0,1};
    pub(crate) type Tiled = bf16[16,256]{1,0:T(8,128)(2,1)};
    type Padded = f32[2,3], padded_dimensions = [3, 5], padding_value = zero;
    type Rows<const M: usize> = f32[M,3];
    type By<N> = f32[type N,3];
    type Dynamic = f32[?,3];
}

mod kernels {
    xlayout::layout! {
        pub(super) type Input = s8[128];
        pub(in crate::items::kernels) type Hidden = s8[128];
        type Private = s8[128];
    }

    pub fn same(hidden: Hidden) -> Private {
        hidden
    }
}

#[test]
fn works() {
    layout! {
        type Local = pred[8];
    }
    let a: A = A;
    assert_eq!(a.linear_index(&[1, 0]), 1);
    assert_eq!(Tiled.bytes(), 8192);
    assert_eq!(Padded.buffer_len(), 15);
    assert_eq!(Rows::<4>::NEW.bytes(), 48);
    assert_eq!(By::<typenum::U4>::BUFFER_LEN, 12);
    assert_eq!(Dynamic::with_sizes([4, 3]).unwrap().bytes(), 48);
    assert_eq!(kernels::same(kernels::Input).bytes(), Local.bytes() * 16);
}
