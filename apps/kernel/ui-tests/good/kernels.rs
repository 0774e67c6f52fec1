//! Kernels wherever a function may be, and whatever names are around them.

use xlayout::layout;
use xlayout_kernel::{In, InOut, Out, Scalar};

layout! {
    type Rows = f32[?,3]{1,0};
    type StaticLayout = f32[4]{0};
}

/// Doubles.
#[xlayout_kernel::kernel]
#[inline]
pub fn double(x: In<layout!(f32[?M,3]{1,0})>, mut y: Out<xlayout::layout!(f32[?M,3]{1,0})>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = 2.0 * x;
    }
}

#[xlayout_kernel::kernel(name = "double_rows", batch)]
fn r#type(x: In<'_, Rows>, mut r#mut: Out<Rows>) -> xlayout_kernel::Result<()> {
    r#mut.memory_mut().copy_from_slice(x.memory());
    let _: u8 = "7".parse()?;
    Ok(())
}

mod inner {
    use xlayout_kernel::kernel as entry;

    // Names that mean something else here.
    #[allow(dead_code)]
    pub struct In;
    #[allow(dead_code)]
    pub struct Out;
    pub type Result = std::result::Result<(), std::num::ParseIntError>;
    use xlayout_kernel::{In as Input, Out as Output};

    #[entry()]
    pub(super) fn handler(
        x: Input<super::StaticLayout>,
        mut call: Output<super::StaticLayout>,
        frame: xlayout_kernel::Scalar<f32>,
        body: &[i64],
        outcome: Option<&str>,
    ) -> Result {
        call.memory_mut().copy_from_slice(x.memory());
        let _ = (*frame, body, outcome);
        Ok(())
    }

    #[entry]
    fn call(mut y: Output<super::StaticLayout>) {
        y.memory_mut().fill(1.0);
    }

    #[entry]
    fn frame(mut y: Output<super::StaticLayout>) {
        y.memory_mut().fill(1.0);
    }
}

#[xlayout_kernel::kernel]
#[cfg(any())]
fn left_out(x: NoSuchType) {}

#[cfg(any())]
#[xlayout_kernel::kernel]
fn left_out(x: NoSuchType) {}

#[cfg_attr(all(), xlayout_kernel::kernel)]
fn negate(mut z: InOut<layout!(f32[?_,?]{0,1})>, #[allow(unused)] a: Option<Scalar<i32>>) {
    for z in z.memory_mut() {
        *z = -*z;
    }
}

macro_rules! kernels {
    ($($(#[$attribute:meta])* $visibility:vis $name:ident: $element:ident, $size:literal, $x:ident, $of_type:ty => $body:block)*) => {$(
        $(#[$attribute])*
        #[::xlayout_kernel::kernel]
        $visibility fn $name(
            _y: $crate::Out<layout!($element[?N,$size]{1,0})>,
            $x: $of_type,
        ) $body
    )*};
}
kernels! {
    /// One.
    pub one: f32, 3, x, In<layout!(s32[?N])> => { let _ = x.memory(); }
    two: s8, 4, a, Scalar<f64> => { let _ = *a; }
}

macro_rules! whole {
    ($function:item) => {
        #[xlayout_kernel::kernel]
        $function
    };
}
whole! {
    fn three(mut y: Out<layout!(pred[?]{0})>) { y.memory_mut().fill(true) }
}

fn main() {
    #[xlayout_kernel::kernel]
    fn in_a_function(mut y: Out<layout!(s4[8]{0:E(4)})>) {
        let _ = &mut y;
    }

    // A kernel is a function.
    let x = [1.0, 2.0, 3.0];
    let mut y = [0.0; 3];
    let rows = layout!(f32[?M,3])([1, 3]).unwrap();
    double(
        In::new(xlayout::SliceView::new(rows, &x).unwrap()),
        Out::new(xlayout::SliceViewMut::new(rows, &mut y).unwrap()),
    );
    assert_eq!(y, [2.0, 4.0, 6.0]);

    let text = xlayout_kernel::__private::description().to_str().unwrap();
    for name in [
        "double",
        "double_rows",
        "handler",
        "call",
        "frame",
        "negate",
        "one",
        "two",
        "three",
        "in_a_function",
    ] {
        let name = format!("\"name\":\"{name}\",\"parameters\"");
        assert!(text.contains(&name), "{name} in {text}");
    }
    assert!(!text.contains("left_out"));
}

/// Arrays of one layout in a list.
#[xlayout_kernel::kernel]
fn listed(
    a: In<layout!(f32[?M,3]{1,0})>,
    b: In<layout!(f32[?M,3]{1,0})>,
    mut y: Out<layout!(f32[?M,3]{1,0})>,
    mut z: Out<layout!(f32[?M,3]{1,0})>,
) {
    for (mut out, x) in [y, z].into_iter().zip([a, b]) {
        out.memory_mut().copy_from_slice(x.memory());
    }
}
