//! Layouts and signatures that no call of XLA's can have. In a `static`, where the macro puts them,
//! these are errors of the compiler; here the same functions run.
#![allow(elided_lifetimes_in_paths)]

use std::panic::catch_unwind;

use xlayout::layout;
use xlayout_kernel::__private::{CallFrame, Declared, Kernel, Parameter, Source, XlaError};
use xlayout_kernel::{In, Out, Scalar};

/// The compiler's message.
fn refused(declare: fn() -> Declared) -> String {
    let payload = catch_unwind(declare).expect_err("it is refused");
    payload.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn layouts_that_are_not_dense() {
    macro_rules! texts {
        ($($layout:tt => $part:literal;)*) => {$(
            let text = refused(|| Declared::new("x", <In<layout! $layout> as Parameter<'_>>::KIND));
            assert!(text.contains($part), "{text}");
        )*};
    }
    texts! {
        (f32[8,128]{1,0:T(8,128)}) => "cannot be tiled";
        (f32[8]{0:L(64)}) => "cannot have a tail alignment";
        (f32[8]{0:S(1)}) => "cannot lie in a memory space";
        (f32[8]{0}, padded_dimensions = [9]) => "cannot be padded";
        (f32[8,128]{1,0:T(8,128)S(1)}) => "has a dense layout";
        (bf16[8,128]{1,0:T(8,128)(2,1)}) => "has a dense layout";
        (f32[?,128]{1,0:T(8,128)}) => "cannot be tiled";
        (f32[<=8]{0}) => "write `?` in place of `<=`";
        (s4[8]{0}) => "write `E(4)`";
        (u2[?]{0}) => "write `E(4)`";
        (f4e2m1fn[8]{0}) => "write `E(4)`";
        (f32[8,2]{1,0:T(8,2)}, sharding = {devices=[2,1]<=[2]}) => "cannot be tiled";
    }
}

#[test]
fn layouts_that_are_dense() {
    macro_rules! accepted {
        ($($layout:tt)*) => {
            $(let _ = Declared::new("x", <Out<layout! $layout> as Parameter<'_>>::KIND);)*
        };
    }
    accepted! {
        (f32[8,128]{0,1}) (pred[?]{0}) (bf16[2]{0}) (c128[2]{0}) (f64[]) (s4[8]{0:E(4)})
        (u1[9]{0:E(1)}) (s2[?]{0:E(2)}) (f4e2m1fn[8]{0:E(4)}) (f8e8m0fnu[2,3,4]{0,2,1})
    }
}

extern "C" fn handler(_: *mut CallFrame) -> *mut XlaError {
    std::ptr::null_mut()
}

#[test]
fn signatures_that_contradict_themselves() {
    let kernel = |parameters: &'static [Declared]| {
        let payload = catch_unwind(|| {
            let _ = Kernel::new(Source {
                name: "k",
                doc: "",
                module: "",
                file: "",
                line: 1,
                batch: false,
                parameters,
                independent: &[],
                vjp: "",
                handlers: ::xlayout_kernel::__private::Handlers::baseline(handler),
            });
        })
        .expect_err("it is refused");
        payload.downcast_ref::<String>().unwrap().clone()
    };
    const A: Declared = Declared::new("a", <Scalar<f32> as Parameter<'_>>::KIND);
    assert!(kernel(&[A, A]).contains("the same name"));
    static MANY: [Declared; 65] = [A; 65];
    assert!(kernel(&MANY).contains("64 parameters at most"));
}
