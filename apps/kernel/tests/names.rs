//! Names of sizes, in a layout that is visible and behind an alias.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use crate::support::expand::kernel;
use crate::support::{Array, Call};
use xlayout::{SliceView, layout};
use xlayout_kernel::abi::Handler;
use xlayout_kernel::{In, Out};

const F32: i32 = 11;

type X = layout!(f32[?B,?T,?D]{2,1,0});
type Scale = layout!(f32[?D]{0});
type Anonymous = layout!(f32[?]{0});
type Any = layout!(f32[?_]{0});
type LongName = layout!(f32[?sequence_length_in_tokens]{0});
type Ring = layout!(f32[?Größe]{0});

fn layer_norm(_: In<X>, _: In<Scale>, _: Out<X>) {}
kernel!(aliases = layer_norm(x: In<X>, scale: In<Scale>, y: Out<X>));
kernel!(visible = layer_norm(
    x: In<layout!(f32[?B,?T,?D]{2,1,0})>,
    scale: In<layout!(f32[?D]{0})>,
    y: Out<layout!(f32[?B,?T,?D]{2,1,0})>,
));

fn two<A: xlayout_kernel::Operand, B: xlayout_kernel::Operand>(_: In<A>, _: In<B>) {}
kernel!(anonymous_and_any = two(a: In<Anonymous>, b: In<Any>));
kernel!(named_and_anonymous = two(a: In<Scale>, b: In<Anonymous>));
kernel!(anonymous_twice = two(a: In<Anonymous>, b: In<Anonymous>));
kernel!(long_names = two(a: In<LongName>, b: In<LongName>));
kernel!(two_names = two(a: In<LongName>, b: In<Ring>));
kernel!(letters_beyond_ascii = two(a: In<Ring>, b: In<Ring>));

fn run(handler: Handler, arguments: &[&[i64]], results: &[&[i64]]) -> Result<(), String> {
    let mut a = [0.0_f32; 512];
    let mut b = [0.0_f32; 512];
    let mut c = [0.0_f32; 512];
    let mut memory = [a.as_mut_ptr(), b.as_mut_ptr()].into_iter();
    let call = &mut Call {
        arguments: arguments
            .iter()
            .map(|dims| Array::at(F32, dims, memory.next().unwrap()))
            .collect(),
        results: results
            .iter()
            .map(|dims| Array::at(F32, dims, c.as_mut_ptr()))
            .collect(),
        ..Call::default()
    };
    call.run(handler).map_err(|(_, message)| message)
}

#[test]
fn names_behind_an_alias_are_compared() {
    for handler in [aliases, visible] {
        let right: &[&[i64]] = &[&[3, 5, 7], &[7]];
        assert_eq!(run(handler, right, &[&[3, 5, 7]]), Ok(()));
        let wrong: &[&[i64]] = &[&[7, 2, 3], &[7]];
        let message = run(handler, wrong, &[&[7, 2, 3]]).unwrap_err();
        let part = "dimension 0 is 7, and dimension 2 of `x` is 3: `?D` is one size";
        assert!(message.contains(part), "{message}");
        let message = run(handler, right, &[&[5, 3, 7]]).unwrap_err();
        assert!(message.contains("`?B` is one size"), "{message}");
    }
}

#[test]
fn which_sizes_are_one() {
    let differ = |handler| run(handler, &[&[3], &[4]], &[]);
    assert_eq!(differ(anonymous_and_any), Ok(()));
    assert_eq!(differ(named_and_anonymous), Ok(()));
    assert_eq!(differ(two_names), Ok(()));
    let message = differ(anonymous_twice).unwrap_err();
    assert!(
        message.contains("`?` as dimension 0 is one size for all"),
        "{message}"
    );
    let message = differ(long_names).unwrap_err();
    assert!(
        message.contains("`?sequence_length_in_tokens` is one size"),
        "{message}"
    );
    let message = differ(letters_beyond_ascii).unwrap_err();
    assert!(message.contains("`?Größe` is one size"), "{message}");
}

#[test]
fn a_test_calls_a_kernel_with_other_names() {
    let plain = SliceView::new(Anonymous::with_sizes([3]).unwrap(), &[1.0; 3][..]).unwrap();
    two::<Scale, Any>(In::new(plain.renamed()), In::new(plain.renamed()));
}
