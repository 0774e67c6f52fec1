//! The macros write paths that begin at their own crate, whatever it is called here.
#![no_implicit_prelude]
extern crate xlayout as arrays;

#[allow(dead_code)]
mod xlayout {}

use self::arrays::layout;

layout! { type A = f32[2,3]{0,1}; }

fn main() {
    let b: layout!(s8[4]) = arrays::layout!(s8[4]);
    ::std::assert_eq!(A.bytes() + b.bytes(), 28);
    let text: arrays::DynLayout = match ::std::str::FromStr::from_str("f32[2,3]{0,1}") {
        ::std::result::Result::Ok(layout) => layout,
        ::std::result::Result::Err(_) => return,
    };
    ::std::assert_eq!(arrays::specialize!(text, { A => 1, _ => 2 }), 1);
    ::std::assert_eq!(arrays::index!(A[1, 2]).linear().get(), 5);
}
