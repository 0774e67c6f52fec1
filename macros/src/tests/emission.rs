use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{expand, root, tokens};
use crate::emit::has_short_name;

/// The expansion without blanks, and without the paths that every part has.
fn emitted(source: &str) -> String {
    shorten(&expand(source).to_string())
}

fn shorten(code: &str) -> String {
    let mut code: String = code.split_whitespace().collect();
    // What `describe` says of a layout is compared by `documentation`.
    while let Some(begin) = code.find(r#"#[doc="\n"#) {
        let end = code[begin..].find(r#""]"#).expect("a string ends") + 2;
        code.replace_range(begin..begin + end, "");
    }
    // `N0` is the facade's name for `Nat<0>`.
    for n in short_numbers().rev() {
        code = code.replace(&format!("__private::N{n}"), &format!("__private::Nat<{n}>"));
    }
    for (name, numbers) in short_orders() {
        let list: Vec<_> = numbers.iter().map(|n| format!("Nat<{n}>,")).collect();
        let order = format!("MinorToMajor<({})>", list.concat());
        for end in [",", ">"] {
            let named = format!("__private::{name}{end}");
            code = code.replace(&named, &format!("__private::{order}{end}"));
        }
    }
    code.replace("xl::__private::typenum::", "typenum::")
        .replace("xl::__private::", "")
        .replace(",)", ")")
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(emitted(source), expected, "layout!({source})");
}

#[test]
fn the_order_and_its_notations() {
    let column_major = "StaticLayout::<f32,(Nat<2>,Nat<3>),MinorToMajor<(Nat<0>,Nat<1>)>,()>";
    check("f32[2,3]{0,1}", column_major);
    check("f32[2,3]<0,1>", column_major);
    check("f32 [2, 3] <0, 1>", column_major);
    check("f32[02,3]{0,01}", column_major);
    let row_major = "StaticLayout::<f32,(Nat<2>,Nat<3>),MinorToMajor<(Nat<1>,Nat<0>)>,()>";
    check("f32[2,3]{1,0}", row_major);
    check("f32[2,3]", row_major);
    check("pred[]", "StaticLayout::<pred,(),MinorToMajor<()>,()>");
    check(
        "u8[7]",
        "StaticLayout::<u8,(Nat<7>),MinorToMajor<(Nat<0>)>,()>",
    );
}

#[test]
fn one_dimension_is_still_a_tuple() {
    let code: String = expand("u8[7]{0:T(8)}")
        .to_string()
        .split_whitespace()
        .collect();
    assert!(code.contains("__private::N7,)"), "{code}");
    assert!(code.contains("__private::RowMajor1,"), "{code}");
    assert!(code.contains("__private::N8,)>,)>"), "{code}");
}

/// The numbers that have a short name.
fn short_numbers() -> impl DoubleEndedIterator<Item = i64> {
    (0..=200_000).filter(|&n| has_short_name(n))
}

#[test]
fn core_has_the_short_names_that_the_macro_writes() {
    let defined = include_str!("../../../core/src/layouts/types/short_names.rs");
    let list = |macro_name: &str| -> Vec<&str> {
        let start = format!("\n{macro_name}! {{");
        let (_, list) = defined.split_once(&start).expect("one list");
        let (list, _) = list.split_once("\n}").expect("it ends");
        list.split_whitespace().collect()
    };
    let words = list("numbers");
    let written: Vec<String> = short_numbers()
        .flat_map(|n| [format!("N{n}"), n.to_string()])
        .collect();
    assert_eq!(words, written);
    for n in [-1, i64::MIN, 129, 65535, 131072, i64::MAX] {
        assert!(!has_short_name(n), "{n}");
    }
    let orders: String = short_orders()
        .map(|(name, numbers)| {
            let numbers: Vec<_> = numbers.iter().map(|n| format!("N{n},")).collect();
            format!("{name}({})", numbers.concat())
        })
        .collect();
    assert_eq!(list("orders").concat(), orders);
    for (_, numbers) in short_orders() {
        let sizes = vec!["3"; numbers.len()].join(",");
        let order: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        let code = expand(&format!("f32[{sizes}]{{{}}}", order.join(","))).to_string();
        assert!(!code.contains("MinorToMajor"), "{code}");
    }
}

/// The orders that have a short name.
fn short_orders() -> impl Iterator<Item = (String, Vec<usize>)> {
    let row_major = (0..=8).map(|rank| (format!("RowMajor{rank}"), (0..rank).rev().collect()));
    row_major.chain((2..=8).map(|rank| (format!("ColumnMajor{rank}"), (0..rank).collect())))
}

#[test]
fn sizes() {
    let with = |size: &str| {
        format!("StaticLayout::<f32,({size},Nat<3>),MinorToMajor<(Nat<1>,Nat<0>)>,()>")
    };
    check("f32[<=2,3]", &with("AtMost<2>"));
    check("f32[M,3]", &with("Nat<{M}>"));
    check("f32[<=M,3]", &with("AtMost<{M}>"));
    check("f32[crate::a::M,3]", &with("Nat<{crate::a::M}>"));
    check("f32[::a::M,3]", &with("Nat<{::a::M}>"));
    check("f32[{ N * 2 },3]", &with("Nat<{N*2}>"));
    check("f32[<={ N * 2 },3]", &with("AtMost<{N*2}>"));
    check("f32[U2,3]", &with("Nat<{<U2astypenum::Unsigned>::USIZE}>"));
    check(
        "f32[<=U2,3]",
        &with("AtMost<{<U2astypenum::Unsigned>::USIZE}>"),
    );
    check(
        "f32[t::U1024,3]",
        &with("Nat<{<t::U1024astypenum::Unsigned>::USIZE}>"),
    );
    check("f32[U,3]", &with("Nat<{U}>"));
    check("f32[U2x,3]", &with("Nat<{U2x}>"));
    check("f32[type N,3]", &with("Num<Typenum<N>>"));
    check(
        "f32[type UInt<UInt<UTerm, B1>, B0>,3]",
        &with("Num<Typenum<UInt<UInt<UTerm,B1>,B0>>>"),
    );
    check(
        "f32[type <A as B<C, D>>::N,3]",
        &with("Num<Typenum<<AasB<C,D>>::N>>"),
    );
    check(
        "f32[M,3]{1,0:T(8,128)}",
        "StaticLayout::<f32,(Nat<{M}>,Nat<3>),MinorToMajor<(Nat<1>,Nat<0>)>,(Tile<(Nat<8>,Nat<128>)>)>",
    );
}

/// The constant of a layout with a `?`, which takes the sizes.
const OF_SIZES: &str =
    "#[allow(non_upper_case_globals,dead_code,deprecated)]constA:WithSizes<A>=<A>::with_sizes;";

#[test]
fn sizes_known_at_run_time() {
    check(
        "f32[?,3]",
        "MixedLayout::<f32,(RunTime,Nat<3>),MinorToMajor<(Nat<1>,Nat<0>)>,()>",
    );
    check(
        "f32[?,M,<=5]<0,1,2>",
        "MixedLayout::<f32,(RunTime,Nat<{M}>,AtMost<5>),MinorToMajor<(Nat<0>,Nat<1>,Nat<2>)>,()>",
    );
    // Their names belong to the type, so that a kernel finds them behind an alias.
    let of = |dims| format!("MixedLayout::<f32,({dims}),MinorToMajor<(Nat<1>,Nat<0>)>,()>");
    check("f32[?,?]{1,0}", &of("RunTime,RunTime"));
    check("f32[?M,?_]{1,0}", &of("Named<'M'>,Named<'_'>"));
    check("f32[? M, ?r#ty]", &of("Named<'M'>,Named<'t','y'>"));
    check("f32[?höhe, 2]", &of("Named<'h','ö','h','e'>,Nat<2>"));
    // Sums of them, too, without `?` and spaces.
    check(
        "f32[2*?H, ?H * 2]",
        &of("Named<'2','*','H'>,Named<'2','*','H'>"),
    );
    check(
        "f32[?H - ?K + 1, -1 + ?H]",
        &of("Named<'H','-','K','+','1'>,Named<'-','1','+','H'>"),
    );
    check("f32[1*?H, 3]", &of("Named<'H'>,Nat<3>"));
    check(
        "type A = f32[?M,?M];",
        &format!("typeA={};{OF_SIZES}", of("Named<'M'>,Named<'M'>")),
    );
}

#[test]
fn attributes_have_one_sequence_and_no_defaults() {
    let with = |all: &str| {
        format!("StaticLayout::<f32,(Nat<2>,Nat<3>),MinorToMajor<(Nat<1>,Nat<0>)>,({all})>")
    };
    check("f32[2,3]{1,0:L(1)E(0)S(0)M(0)}", &with(""));
    check(
        "f32[2,3]{1,0:T(2,2)(2,1)}",
        &with("Tile<(Nat<2>,Nat<2>)>,Tile<(Nat<2>,Nat<1>)>"),
    );
    check("f32[2,3]{1,0:T(*,2)}", &with("Tile<(Star,Nat<2>)>"));
    check("f32[2,3]{1,0:L(100)}", &with("TailAlign<100>"));
    check("f32[2,3]{1,0:E(64)}", &with("ElementWidth<64>"));
    check("f32[2,3]{1,0:S(5)}", &with("MemSpace<5>"));
    check(
        "f32[2,3]{1,0:SC(0:1)(1:1,2)}",
        &with("SplitDim<0,(At<1>)>,SplitDim<1,(At<1>,At<2>)>"),
    );
    check("f32[2,3]{1,0:S(-1)}", &with("MemSpace<-1>"));
    check("f32[2,3]{1,0:SC(0:1)}", &with("SplitDim<0,(At<1>)>"));
    check("f32[2,3]{1,0:M(16)}", &with("MetadataBytes<16>"));
    check(
        "f32[2,3]{1,0:T(2,2)L(8)E(32)S(1)SC(0:1)M(16)}",
        &with(
            "Tile<(Nat<2>,Nat<2>)>,TailAlign<8>,ElementWidth<32>,MemSpace<1>,SplitDim<0,(At<1>)>,MetadataBytes<16>",
        ),
    );
    check(
        "f32[2,3], padded_dimensions = [2, 5]",
        &with("Padded<(Nat<2>,Nat<5>)>"),
    );
    check("f32[2,3], padded_dimensions = [2, 3]", &with(""));
    check(
        "f32[M], padded_dimensions = [1]",
        "StaticLayout::<f32,(Nat<{M}>),MinorToMajor<(Nat<0>)>,(Padded<(Nat<1>)>)>",
    );
    check(
        "f32[2,3] <1,0>, padded_dimensions = [3, 5], padding_value = lowest",
        &with("Padded<(Nat<3>,Nat<5>)>,Fill<Lowest>"),
    );
}

#[test]
fn what_macro_rules_captured() {
    let captured = |source: &str| {
        let inner: TokenStream = source.parse().unwrap();
        TokenTree::from(Group::new(Delimiter::None, inner))
    };
    let with = |size: TokenTree, kind: TokenTree| {
        let mut brackets = TokenStream::from(size);
        brackets.extend(tokens(", 3"));
        let brackets = TokenTree::from(Group::new(Delimiter::Bracket, brackets));
        let input = crate::text::see_through([kind, brackets]);
        shorten(&crate::layout(&root(), input).to_string())
    };
    let expected =
        |size: &str| format!("StaticLayout::<s8,({size},Nat<3>),MinorToMajor<(Nat<1>,Nat<0>)>,()>");
    assert_eq!(with(captured("2"), captured("s8")), expected("Nat<2>"));
    assert_eq!(with(captured("M"), captured("s8")), expected("Nat<{M}>"));
    assert_eq!(
        with(captured("a::M"), captured("s8")),
        expected("Nat<{a::M}>")
    );
    assert_eq!(
        with(captured("{ M }"), captured("s8")),
        expected("Nat<{M}>")
    );
    // One expression is one size, so it needs no braces.
    assert_eq!(
        with(captured("M + 1"), captured("s8")),
        expected("Nat<{M+1}>")
    );
    assert_eq!(
        with(captured("f(M)"), captured("s8")),
        expected("Nat<{f(M)}>")
    );
    let twice = TokenTree::from(Group::new(Delimiter::None, captured("2").into()));
    assert_eq!(with(twice, captured("s8")), expected("Nat<2>"));
}

#[test]
fn declarations() {
    check(
        "/// Doc.\n pub(crate) type A = u8[7];",
        "#[doc=\"Doc.\"]pub(crate)typeA=StaticLayout::<u8,(Nat<7>),MinorToMajor<(Nat<0>)>,()>;\
         #[doc=\"Doc.\"]#[allow(non_upper_case_globals,dead_code,deprecated)]pub(crate)constA:A=StaticLayout;",
    );
    check(
        "type A<const M: usize> = u8[M];",
        "typeA<constM:usize>=StaticLayout::<u8,(Nat<{M}>),MinorToMajor<(Nat<0>)>,()>;",
    );
    check(
        "type A<F: Fn() -> u8, const M: usize> = u8[M];",
        "typeA<F,constM:usize>=StaticLayout::<u8,(Nat<{M}>),MinorToMajor<(Nat<0>)>,()>;",
    );
    check(
        "type A<'a: 'static, N: num::Unsigned + Into<u8> = U3, const M: usize = 3> = u8[type N, M];",
        "typeA<'a,N=U3,constM:usize=3>=StaticLayout::<u8,(Num<Typenum<N>>,Nat<{M}>),MinorToMajor<(Nat<1>,Nat<0>)>,()>;",
    );
    check(
        "type A<C: Sizes> = u8[type C::Rows];",
        "typeA<C:Sizes>=StaticLayout::<u8,(Num<Typenum<C::Rows>>),MinorToMajor<(Nat<0>)>,()>;",
    );
    check(
        "type A = u8[?];",
        &format!("typeA=MixedLayout::<u8,(RunTime),MinorToMajor<(Nat<0>)>,()>;{OF_SIZES}"),
    );
    let two = emitted("type A = u8[7]; pub type B = f32[], padding_value = zero;");
    assert!(two.contains(
        "constA:A=StaticLayout;pubtypeB=StaticLayout::<f32,(),MinorToMajor<()>,(Fill<Zero>)>"
    ));
}

/// The documentation of a declaration that is not the user's.
fn documentation(source: &str) -> String {
    let described = expand(source).into_iter().find_map(|token| match token {
        TokenTree::Group(group) => {
            let text = group.stream().to_string();
            let text = text.strip_prefix("doc = \"\\n")?;
            Some(text.trim_end_matches('"').replace("\\n", "\n"))
        }
        _ => None,
    });
    described.expect("a declaration is described")
}

#[test]
fn declarations_describe_themselves() {
    assert_eq!(
        documentation("/// Mine.\n type A = f32[2,3]<0,1>;"),
        "`f32[2,3]{0,1}`: elements 6 of 32 bits, padding 0, bytes 24. Dimensions from minor to \
         major: 0 1.\n\n`[i0, i1]` is at linear index `i1 * 2 + i0`:\n\n```text\n0 2 4\n1 3 5\n```"
    );
    assert_eq!(
        documentation("type A = bf16[16,256]{1,0:T(8,128)(2,1)};"),
        "`bf16[16,256]{1,0:T(8,128)(2,1)}`: elements 4096 of 16 bits, padding 0, bytes 8192. \
         Dimensions from minor to major: 1 0.\n\n`[i0, i1]` is at linear index `i0 / 8 * 2048 + \
         i1 / 128 * 1024 + i0 / 2 % 4 * 256 + i1 % 128 * 2 + i0 % 2`."
    );
    assert_eq!(
        documentation("type A = s4[2,2,2]{2,1,0:T(2,4)E(4)};"),
        "`s4[2,2,2]{2,1,0:T(2,4)E(4)}`: elements 8 of 4 bits, padding 8, bytes 8. Dimensions from \
         minor to major: 2 1 0.\n\n`[i0, i1, i2]` is at linear index `i0 * 8 + i1 * 4 + i2`:\n\n\
         ```text\n 0  1\n 4  5\n\n 8  9\n12 13\n```"
    );
    assert_eq!(
        documentation("type A = u8[<=3];"),
        "`u8[<=3]{0}`: elements 3 of 8 bits, padding 0, bytes 3.\n\n`[i0]` is at linear index \
         `i0`:\n\n```text\n0 1 2\n```"
    );
    assert_eq!(
        documentation("type A = f32[1,2,1]{0,2,1};"),
        "`f32[1,2,1]{0,2,1}`: elements 2 of 32 bits, padding 0, bytes 8. Dimensions from minor to \
         major: 0 2 1.\n\n`[i0, i1, i2]` is at linear index `i1`:\n\n```text\n0\n1\n```"
    );
    assert_eq!(
        documentation("type A = f32[0,3];"),
        "`f32[0,3]{1,0}`: elements 0 of 32 bits, padding 0, bytes 0. Dimensions from minor to \
         major: 1 0."
    );
    assert_eq!(
        documentation("type A = f32[];"),
        "`f32[]`: elements 1 of 32 bits, padding 0, bytes 4."
    );
    assert_eq!(
        documentation("type A<const M: usize> = f32[M, 3];"),
        "`layout!(f32[M,3])`"
    );
    assert_eq!(
        documentation("type A = f32[?N, 3]{0,1};"),
        "`layout!(f32[?N,3]{0,1})`"
    );
}

/// `specialize!` becomes matches in matches, the name bound again in each.
#[test]
fn arms() {
    let emitted = |source: &str| {
        let tokens = crate::arms::expand(&root(), &tokens(source)).unwrap();
        shorten(&tokens.to_string())
    };
    let try_ = |path: &str, ok: &str, err: &str| {
        format!(
            "matchSpecializeInto::<{path},_>::specialize(x){{\
             ::core::result::Result::Ok(x)=>{{let_=&x;{ok}}}\
             ::core::result::Result::Err(x)=>{err}}}"
        )
    };
    let vector = "StaticLayout::<u8,(Nat<7>),MinorToMajor<(Nat<0>)>,()>";
    let rest = "{let_=&x;g(x)}";
    assert_eq!(
        emitted("x, { u8[7] => f::<A, B>(x), _ => g(x) }"),
        try_(vector, "f::<A,B>(x)", rest)
    );
    let scalar = "StaticLayout::<u8,(),MinorToMajor<()>,()>";
    let both = try_(vector, "f(x)", &try_(scalar, "f(x)", rest));
    assert_eq!(emitted("x, { u8[7] | u8[] => { f(x) } _ => g(x), }"), both);
    assert_eq!(
        emitted("x, { u8[7] => { f(x) } u8[] => { f(x) } _ => g(x) },"),
        both
    );
    assert_eq!(
        emitted("x = p(1, 2)?, { A => f(x), a::B<3> => h(x), _ => g(x) }"),
        format!(
            "matchp(1,2)?{{x=>{}}}",
            try_("A", "f(x)", &try_("a::B<3>", "h(x)", rest))
        )
    );
    assert_eq!(
        emitted("mut x = p, { A => f(x), _ => g(x) }"),
        format!("matchp{{x=>{}}}", try_("A", "f(x)", rest))
            .replace("let_=&x;", "#[allow(unused_mut)]letmutx=x;let_=&x;")
    );
    assert_eq!(
        emitted("x, { u8[7], padding_value = zero => f(x), _ => g(x) }"),
        try_(
            "StaticLayout::<u8,(Nat<7>),MinorToMajor<(Nat<0>)>,(Fill<Zero>)>",
            "f(x)",
            rest
        )
    );
    // `f::<_, B>(x)`: neither comma is between arms.
    assert_eq!(
        emitted("x, { u8[7] => { 1 }.max(f::<_, B>(x)), _ => g(x) }"),
        try_(vector, "{1}.max(f::<_,B>(x))", rest)
    );
}

#[cfg(feature = "sharding")]
#[test]
fn shardings() {
    let of = |per_device: &str, rule: &str| {
        format!(
            "Sharded::<StaticLayout::<f32,(Nat<8>,Nat<6>),MinorToMajor<(Nat<1>,Nat<0>)>,()>,\
             StaticLayout::<f32,{per_device},MinorToMajor<(Nat<1>,Nat<0>)>,()>,{rule}>"
        )
    };
    let emitted_as = check;
    let check = |sharding: &str, per_device: &str, rule: &str| {
        let expected = of(per_device, rule);
        emitted_as(
            &format!("f32[8,6]{{1,0}}, sharding = {sharding}"),
            &expected,
        );
        emitted_as(&format!("f32[8,6] <1,0>, sharding={sharding}"), &expected);
    };
    let whole = "(Nat<8>,Nat<6>)";
    check("{replicated}", whole, "Replicated");
    check("{manual}", whole, "Manual");
    check("{unreduced}", whole, "Unreduced");
    check("{unknown}", whole, "UnknownSharding");
    check("{maximal device=3}", whole, "Maximal<3>");
    check(
        "{devices=[2,4]<=[8]}",
        "(Nat<4>,Nat<2>)",
        "Grid<(Nat<2>,Nat<4>),Iota<(Nat<8>),(Nat<0>)>,()>",
    );
    check(
        "{devices=[2,4]0,2,4,6,1,3,5,7}",
        "(Nat<4>,Nat<2>)",
        "Grid<(Nat<2>,Nat<4>),Iota<(Nat<4>,Nat<2>),(Nat<1>,Nat<0>)>,()>",
    );
    check(
        "{devices=[2,2]3,0,1,2}",
        "(Nat<4>,Nat<3>)",
        "Grid<(Nat<2>,Nat<2>),Listed<((Nat<3>,Nat<0>,Nat<1>,Nat<2>),())>,()>",
    );
    check(
        "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
        "(Nat<4>,Nat<6>)",
        "Grid<(Nat<2>,Nat<1>,Nat<4>),Iota<(Nat<8>),(Nat<0>)>,LastTileDimReplicate>",
    );
    check(
        "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
        "(Nat<4>,Nat<6>)",
        "Grid<(Nat<2>,Nat<1>,Nat<2>,Nat<2>),Iota<(Nat<8>),(Nat<0>)>,(Manual,Replicated)>",
    );
    // Padding belongs to the whole; constants stay where nothing is cut.
    emitted_as(
        "f32[8,N], sharding = {devices=[2,1]<=[2]}, padded_dimensions = [9, 6]",
        "Sharded::<StaticLayout::<f32,(Nat<8>,Nat<{N}>),MinorToMajor<(Nat<1>,Nat<0>)>,(Padded<(Nat<9>,Nat<6>)>)>,\
         StaticLayout::<f32,(Nat<4>,Nat<{N}>),MinorToMajor<(Nat<1>,Nat<0>)>,()>,\
         Grid<(Nat<2>,Nat<1>),Iota<(Nat<2>),(Nat<0>)>,()>>",
    );
}
