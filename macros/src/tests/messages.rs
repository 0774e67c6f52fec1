//! Every mistake: what is underlined, what is said, and what to write instead.

use proc_macro2::{TokenStream, TokenTree};

use super::{expand, root, tokens};

/// The mistakes that an expansion reports: `underlined | message | help`.
fn said(source: &str, expansion: TokenStream) -> Vec<String> {
    let mut said = Vec::new();
    collect(source, expansion, &mut said);
    said
}

fn collect(source: &str, expansion: TokenStream, said: &mut Vec<String>) {
    let tokens: Vec<_> = expansion.into_iter().collect();
    for (k, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let reports = k >= 2 && matches!(&tokens[k - 2], TokenTree::Ident(i) if i == "compile_error");
        if !reports {
            collect(source, group.stream(), said);
            continue;
        }
        let (start, end) = (tokens[k - 2].span().byte_range().start, group.span().byte_range().end);
        let message = group.stream().to_string();
        let message = message.trim_matches('"').replace("\\n", " | ").replace("\\\"", "\"").replace("help: ", "");
        said.push(format!("{} | {message}", &source[start..end]));
    }
}

fn layout(source: &str) -> Vec<String> {
    said(source, expand(source))
}

fn arms(source: &str) -> Vec<String> {
    match crate::arms::expand(&root(), &tokens(source)) {
        Ok(code) => panic!("{source} is {code}"),
        Err(mistakes) => said(source, crate::mistake::report(&root(), mistakes)),
    }
}

#[test]
fn print() {
    for line in include_str!("/tmp/mac/gen/sources").lines() {
        println!("@ {line}");
        for m in layout(line) { println!("@     {m}"); }
    }
    for line in include_str!("/tmp/mac/gen/arms").lines() {
        println!("@ {line}");
        for m in arms(line) { println!("@     {m}"); }
    }
}
