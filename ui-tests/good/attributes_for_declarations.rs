#![deny(missing_docs, dead_code, unused, non_upper_case_globals, unreachable_pub)]
//! Declarations keep lints quiet: the constant beside a type is no second thing to document or use.

xlayout::layout! {
    /// Used as a type only.
    type OnlyType = f32[2,3];
    /// Used as a value only.
    type OnlyValue = f32[2,3];
    /// Turned off.
    #[cfg(any())]
    type Off = f32[2,3];
    #[deprecated = "use OnlyType"]
    #[allow(dead_code)]
    type Old = f32[2,3];
}

fn main() {
    let _: OnlyType = OnlyValue;
}
