use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::kernel;
use crate::expand;

/// A kernel: the function as it was, and its table beside it.
#[test]
fn kernels() {
    let written = |source: &str| {
        let (options, item) = kernel(source);
        let code = expand(options, item).to_string();
        let code: String = code.split_whitespace().collect();
        let code = code.replace("__xlayout::", "");
        let (function, table) = code.split_once("const_:()={").expect("a table");
        (function.to_owned(), table.to_owned())
    };
    let check = |source: &str, expected: &[&str]| {
        let (_, table) = written(source);
        for part in expected {
            assert!(table.contains(part), "{part} in {table}");
        }
    };
    let source = "#[kernel] /** Twice\n  this. */ #[inline] pub(crate) fn double(mut r#in: a::Out<layout!(u8[?, ?M, {N?}, ?_])>,) {}";
    let (function, table) = written(source);
    assert!(
        function.starts_with("#[allow(elided_lifetimes_in_paths,"),
        "{function}"
    );
    let item = "pub(crate)fndouble(mutr#in:a::Out<layout!(u8[?,?M,{N?},?_])>,){}#[allow(";
    assert!(function.contains(item), "{function}");
    for part in [
        r#"name:"double",doc:"Twice\nthis.",module:::core::module_path!(),"#,
        r#"batch:false,parameters:&[Declared::new("in",<a::Out<layout!(u8[?,?M,{N?},?_])>asParameter<'_>>::KIND)],"#,
        "true&&<a::Out<layout!(u8[?,?M,{N?},?_])>asParameter<'_>>::passes::<__XlayoutKernel,0usize>(fast_check)",
        "let__xlayout_argument_0=unsafe{<a::Out<layout!(u8[?,?M,{N?},?_])>asParameter<'_>>::take(call,&__XLAYOUT_KERNEL,0usize)?};",
        "call.caught(move||{letoutcome=double(__xlayout_argument_0);into_result(outcome)})",
        "into_result(outcome)",
        "handle::<__XlayoutKernel,__XlayoutRun>(frame,&__XLAYOUT_KERNEL)",
        "submit!(__XLAYOUT_KERNEL);",
        "use::xlayout_kernel::__privateas__xlayout;",
    ] {
        assert!(table.contains(part), "{part} in {table}");
    }
    let lines = "#[kernel(name = \"g\", batch, crate = ::a::b)]
        /// One.
        ///
        ///   Two.
        #[doc(hidden)]
        #[doc = \" Three.\"]
        fn f(a: Map<A, B>, b: fn(A) -> B, c: In<xlayout::layout![f32[3]]>, d: (In<layout!{s8[?K]}>,)) {}";
    check(
        lines,
        &[
            r#"name:"g",doc:"One.\n\n  Two.\nThree.","#.replace("  ", "").as_str(),
            r#"batch:true,"#,
            r#"Declared::new("a",<Map<A,B>asParameter<'_>>::KIND)"#,
            r#"::new("b",<fn(A)->Bas"#,
            r#"::new("c",<In<xlayout::layout![f32[3]]>as"#,
            r#"::new("d",<(In<layout!{s8[?K]}>,)as"#,
            "use::a::b::__privateas__xlayout;",
        ],
    );
    check(
        "#[kernel(vjp = r#type, independent = \"M\")] fn f(y: Y) {}",
        &[r#"independent:&[&[&["M"]]],vjp:"type",handlers:"#],
    );
    check(
        "#[kernel] fn r#type(y: Y) -> R {}",
        &[r#"name:"type""#, "=r#type("],
    );
    // What another macro left, and what a macro captured.
    let (function, _) = written("#[kernel] #[cfg(a)] #[cfg(b)] fn f(y: Y) {}");
    assert!(
        function.contains("fnf(y:Y){}#[cfg(a)]#[cfg(b)]#[allow("),
        "{function}"
    );
    let captured = |source: &str| {
        let inner: TokenStream = source.parse().unwrap();
        TokenTree::from(Group::new(Delimiter::None, inner))
    };
    let tokens = |source: &str| source.parse::<TokenStream>().unwrap();
    let parameters = [tokens("y:"), captured("Out<layout!(f32[?M])>").into()];
    let parameters = Group::new(Delimiter::Parenthesis, parameters.into_iter().collect());
    let item = [
        captured("pub").into(),
        tokens("fn f"),
        TokenTree::from(parameters).into(),
        captured("{}").into(),
    ];
    let whole = Group::new(Delimiter::None, item.into_iter().collect());
    let code = expand(TokenStream::new(), TokenTree::from(whole).into());
    let code: String = code.to_string().split_whitespace().collect();
    assert!(
        code.contains(r#"new("y",<Out<layout!(f32[?M])>as"#),
        "{code}"
    );
}
