//! The kernels that the tests call.

use xlayout::{dtype, layout};
use xlayout_kernel::{
    DeviceOrdinal, In, InOut, Operand, Out, Raw, Result, RunId, Scalar, Word, Words,
};

use crate::support::expand::kernel;

type Rows = layout!(f32[?,4]{1,0});

type NamedRows = layout!(f32[?M,4]{1,0});
type FreeRows = layout!(f32[?_,4]{1,0});

fn two<L: Operand>(_: In<L>, _: Out<L>) {}
kernel!(plain = two(x: In<Rows>, y: Out<Rows>));
kernel!(named = two(x: In<NamedRows>, y: Out<NamedRows>));
kernel!(free = two(x: In<FreeRows>, y: Out<FreeRows>));

type WideRows = layout!(f32[?M + 1,4]{1,0});
fn more(_: In<NamedRows>, _: Out<WideRows>) {}
kernel!(wide = more(x: In<NamedRows>, y: Out<WideRows>));

type Square = layout!(f32[?N,?N]{0,1});
fn one(_: In<Square>) {}
kernel!(square = one(x: In<Square>));

fn flip(mut x: InOut<layout!(pred[?]{0})>) {
    for x in x.memory_mut() {
        *x = !*x;
    }
}
kernel!(in_place = flip(x: InOut<layout!(pred[?]{0})>));

fn not(x: In<layout!(pred[?]{0})>, mut y: Out<layout!(pred[?]{0})>) {
    // A result of `bool` is `false` before, whatever the memory contained.
    assert!(y.memory().iter().all(|y| !y));
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = !x;
    }
}
kernel!(negate = not(x: In<layout!(pred[?]{0})>, y: Out<layout!(pred[?]{0})>));

fn packed(x: In<layout!(s4[3]{0:E(4)})>, mut y: Out<layout!(s8[3]{0})>) {
    for k in 0..3 {
        y[[k]] = x.at([k]);
    }
}
kernel!(unpack = packed(x: In<layout!(s4[3]{0:E(4)})>, y: Out<layout!(s8[3]{0})>));

#[derive(Clone, Copy)]
pub(super) struct Factor(f64);

impl Words for Factor {
    const WORDS: &'static [(&'static str, Self)] = &[("half", Self(0.5)), ("whole", Self(1.0))];
}

fn attributes(
    a: Scalar<f32>,
    flag: Option<Scalar<bool>>,
    mode: Option<&str>,
    weights: &[i64],
    word: Option<Word<Factor>>,
    mut y: Out<layout!(f64[4]{0})>,
) {
    y[[0]] = f64::from(*a);
    y[[1]] = flag.map_or(-1.0, |flag| f64::from(u8::from(*flag)));
    y[[2]] = mode.map_or(-1.0, |mode| mode.len() as f64);
    y[[3]] = weights.iter().sum::<i64>() as f64 + word.map_or(0.0, |word| word.0.0);
}
kernel!(passes = attributes(
    a: Scalar<f32>,
    flag: Option<Scalar<bool>>,
    mode: Option<&str>,
    weights: &[i64],
    word: Option<Word<Factor>>,
    y: Out<layout!(f64[4]{0})>,
));

fn raw(x: In<layout!(f8e4m3b11fnuz[2]{0})>, mut y: Out<layout!(f8e4m3b11fnuz[2]{0})>) {
    y[[0]] = x[[1]];
    y[[1]] = Raw::<dtype::f8e4m3b11fnuz>::from_bits(0x58);
}
kernel!(bits = raw(x: In<layout!(f8e4m3b11fnuz[2]{0})>, y: Out<layout!(f8e4m3b11fnuz[2]{0})>));

fn context(device: DeviceOrdinal, run: RunId, mut y: Out<layout!(s64[2]{0})>) {
    y[[0]] = i64::from(*device);
    y[[1]] = *run;
}
kernel!(knows = context(device: DeviceOrdinal, run: RunId, y: Out<layout!(s64[2]{0})>));

fn fails(x: In<layout!(f32[?]{0})>) -> Result<()> {
    match x.memory().len() {
        0 => Err(std::io::Error::other("no data"))?,
        1 => {
            return Err(xlayout_kernel::Error::new(
                xlayout_kernel::Code::NotFound,
                "a\0b",
            ));
        }
        2 => panic!("two is too many"),
        3 => std::panic::panic_any(7),
        _ => {}
    }
    Ok(())
}
kernel!(unlucky = fails(x: In<layout!(f32[?]{0})>));

fn empty(_: In<layout!(f32[?_,?_,?_]{2,1,0})>) {}
kernel!(empties = empty(x: In<layout!(f32[?_,?_,?_]{2,1,0})>));
