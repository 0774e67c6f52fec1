//! Tests of what the macro emits and says, on every compiler: no rustc is asked.

mod emission;
mod messages;
mod rubbish;

use proc_macro2::{Delimiter, TokenStream};

use crate::tokens::inside;

/// `#[kernel(options)] item` as the two parts that the attribute is given.
fn kernel(source: &str) -> (TokenStream, TokenStream) {
    let tokens: TokenStream = source.parse().unwrap_or_else(|e| panic!("{source}: {e}"));
    let mut tokens = tokens.into_iter();
    let attribute = tokens.nth(1).expect("an attribute");
    let attribute = inside(&attribute, Delimiter::Bracket).expect("brackets");
    let options = attribute.into_iter().nth(1);
    let options = options.and_then(|options| inside(&options, Delimiter::Parenthesis));
    (options.unwrap_or_default(), tokens.collect())
}
