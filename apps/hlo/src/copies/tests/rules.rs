//! Small modules for single rules. Each is a part of what the TPU compiler made of a program.

use super::*;

fn module(entry: &str) -> String {
    format!("HloModule m, is_scheduled=true\n\nENTRY %e {{\n{entry}}}\n")
}

/// What is advised for parameters and results, and why it may not pay.
fn advised(entry: &str) -> Vec<(String, Vec<String>, Option<Doubt>)> {
    let cures = found(&module(entry)).cures.into_iter();
    let one = |cure: Cure| (cure.paste.concat(), cure.removes, cure.doubt);
    cures.map(one).collect()
}

const COPIED_TWICE: &str = "  %x = f32[1024,2048]{1,0:T(8,128)} parameter(0)
  %a = f32[128,8,16,128]{3,1,2,0:T(8,128)} bitcast(%x)
  %b = f32[128,8,16,128]{3,2,1,0:T(8,128)S(1)} copy(%a)
  %c = f32[1024,16,128]{2,1,0:T(8,128)S(1)} bitcast(%b)
  %d = f32[1024,16,128]{0,1,2:T(8,128)S(1)} copy(%c)
  ROOT %r = f32[1024,16,128]{0,1,2:T(8,128)} custom-call(%d), custom_call_target=\"f\"
";

#[test]
fn a_parameter_that_is_copied_twice_is_split_for_nothing() {
    let [(paste, removes, None)] = &advised(COPIED_TWICE)[..] else {
        panic!("{:?}", advised(COPIED_TWICE));
    };
    assert_eq!(removes, &["b"]);
    assert_eq!(
        paste,
        "in_shardings=Format(Layout(major_to_minor=(1, 0)), s)"
    );
    // The most minor dimension of what is needed is a part of one of the parameter, or the split
    // cuts tiles.
    for (from, to) in [
        ("{0,1,2:T(8,128)S(1)} copy", "{1,0,2:T(8,128)S(1)} copy"),
        ("16,128]", "512,4]"),
    ] {
        let other = COPIED_TWICE.replace(from, to);
        assert_eq!(advised(&other).len(), 0, "{other}");
    }
}

/// The parameter takes more memory, and the copy of as many bytes is not there.
#[test]
fn a_larger_parameter_pays_if_its_copy_is_as_large() {
    let text = |rest: &str| {
        format!(
            "  %x = f32[256,64]{{1,0:T(8,128)}} parameter(0)
{rest}  %c = f32[256,64]{{0,1:T(8,128)}} copy(%x)
  ROOT %r = f32[64]{{0:T(128)}} custom-call(%c), custom_call_target=\"f\"
"
        )
    };
    let [(_, removes, None)] = &advised(&text(""))[..] else {
        panic!("{:?}", advised(&text("")));
    };
    assert_eq!(removes, &["c"]);
    let larger = text("")
        .replace("256,64", "130,256")
        .replace("f32[64]", "f32[256]");
    let [(_, _, None)] = &advised(&larger)[..] else {
        panic!("{:?}", advised(&larger));
    };
    // At the peak the copy is not there yet.
    let early = "  %y = f32[9000]{0:T(1024)} custom-call(), custom_call_target=\"g\"
  %z = f32[]{:T(128)} custom-call(%y), custom_call_target=\"h\"\n";
    let early = text(early)
        .replace("256,64", "130,256")
        .replace("f32[64]", "f32[256]");
    let early = early.replace("9000", "900000");
    assert!(
        matches!(advised(&early)[..], [(_, _, Some(Doubt::Larger(_)))]),
        "{:?}",
        advised(&early)
    );
}

#[test]
fn what_an_asynchronous_operation_gives_is_moved_anyway() {
    let text = "  %x = f32[256,512]{1,0:T(8,128)} parameter(0)
  %s = (f32[256,512]{1,0:T(8,128)S(1)}, f32[256,512]{1,0:T(8,128)S(1)}) collective-permute-start(%x), source_target_pairs={{0,1}}
  %d = f32[256,512]{1,0:T(8,128)S(1)} collective-permute-done(%s)
  ROOT %c = f32[256,512]{0,1:T(8,128)} copy(%d)
";
    let [(_, removes, Some(Doubt::Moved))] = &advised(text)[..] else {
        panic!("{:?}", advised(text));
    };
    assert_eq!(removes, &["c"]);
}

/// What is fetched, and copied in the fast memory: the parameter in the other layout is fetched as
/// before, and a result changes what is fetched.
#[test]
fn a_fetched_parameter_may_get_the_layout_of_its_copy() {
    let text = |ends: &str| {
        format!(
            "  %x = f32[256,512]{{1,0:T(8,128)}} parameter(0)
  %s = (f32[256,512]{{1,0:T(8,128)S(1)}}, f32[256,512]{{1,0:T(8,128)}}, u32[]{{:S(2)}}) copy-start(%x)
  %d = f32[256,512]{{1,0:T(8,128)S(1)}} copy-done(%s)
  %c = f32[256,512]{{0,1:T(8,128)S(1)}} copy(%d)
  {ends}
"
        )
    };
    let used =
        text("ROOT %r = f32[256,512]{0,1:T(8,128)} custom-call(%c), custom_call_target=\"f\"");
    let [(paste, removes, None)] = &advised(&used)[..] else {
        panic!("{:?}", advised(&used));
    };
    assert_eq!(
        (&**paste, &removes[..]),
        (
            "in_shardings=Format(Layout(major_to_minor=(1, 0)), s)",
            &["c".to_owned()][..]
        )
    );
    // With other advice there is more room in the fast memory.
    let two = text(
        "%y = f32[128,256]{1,0:T(8,128)} parameter(1)
  %z = f32[128,256]{0,1:T(8,128)} copy(%y)
  ROOT %r = f32[256,512]{0,1:T(8,128)} custom-call(%c, %z), custom_call_target=\"f\"",
    );
    let [(_, _, None), (_, _, Some(Doubt::Chain(_)))] = &advised(&two)[..] else {
        panic!("{:?}", advised(&two));
    };
    // Something else reads the parameter in its own layout, so that a result would change.
    let given = text(
        "%y = f32[256,512]{1,0:T(8,128)} custom-call(%x), custom_call_target=\"f\"
  %n = f32[256,512]{0,1:T(8,128)} negate(%c)
  ROOT %t = (f32[256,512]{1,0:T(8,128)}, f32[256,512]{0,1:T(8,128)}) tuple(%y, %n)",
    );
    let [(_, _, Some(Doubt::Chain(by)))] = &advised(&given)[..] else {
        panic!("{:?}", advised(&given));
    };
    assert_eq!(by, "d");
}

/// Keys of attention that are a result, too. The convolution may read them with the two most major
/// dimensions in another sequence, not with other tiles.
#[test]
fn a_convolution_may_read_other_major_dimensions() {
    let text = |from: &str| {
        format!(
            "  %x = f32[4,12,64,128]{{3,2,1,0:T(8,128)}} parameter(0)
  %k = f32[4,12,64,128]{from} custom-call(%x), custom_call_target=\"k\"
  %c = f32[4,12,64,128]{{3,2,1,0:T(8,128)}} copy(%k)
  %s = f32[4,12,64,64]{{3,2,1,0:T(8,128)}} convolution(%c, %x), window={{}}, dim_labels=01bf_01io->01bf
  ROOT %t = (f32[4,12,64,64]{{3,2,1,0:T(8,128)}}, f32[4,12,64,128]{{3,2,1,0:T(8,128)}}) tuple(%s, %c)
"
        )
    };
    let advised = |from| super::rules::advised(&text(from));
    let [(paste, removes, Some(Doubt::Read(by)))] = &advised("{3,2,0,1:T(8,128)}")[..] else {
        panic!("{:?}", advised("{3,2,0,1:T(8,128)}"));
    };
    assert_eq!((&**by, &removes[..]), ("s", &["c".to_owned()][..]));
    assert_eq!(
        paste,
        "out_shardings=(s, Format(Layout(major_to_minor=(1, 0, 2, 3)), s))"
    );
    assert_eq!(advised("{2,3,1,0:T(8,128)}").len(), 0);
}

#[test]
fn rows_that_fill_no_tile_are_named() {
    let text = |rows: u32| {
        let joined = 16 * rows;
        module(&format!(
            "  %x = bf16[16,{rows},768]{{2,1,0:T(8,128)(2,1)}} parameter(0)
  %r = bf16[{joined},768]{{1,0:T(8,128)(2,1)}} reshape(%x)
  %f = bf16[{joined},768]{{1,0:T(8,128)(2,1)}} custom-call(%r), custom_call_target=\"f\"
  ROOT %s = bf16[16,{rows},768]{{2,1,0:T(8,128)(2,1)}} reshape(%f)
"
        ))
    };
    let [rewrite] = &found(&text(197)).rewrites[..] else {
        panic!("{:?}", found(&text(197)).rewrites);
    };
    assert_eq!(rewrite.removes, ["r", "s"]);
    assert_eq!(rewrite.paste, "x = jnp.pad(x, ((0, 0), (0, 3), (0, 0)))");
    assert!(
        rewrite
            .words
            .contains("[3200, 768] 4915200 in place of 4841472 bytes"),
        "{}",
        rewrite.words
    );
    // A reshape of whole tiles moves nothing, and 14 as 16 is more memory.
    for rows in [200, 14] {
        assert_eq!(found(&text(rows)).rewrites, [], "{rows}");
    }
}

/// A copy that gives a result, in a module for CPUs; not one of a parameter, and not in a module
/// that may be for GPUs.
#[test]
fn on_a_cpu_results_have_the_layout_of_what_is_copied() {
    let text = |config: &str, maker: &str| {
        format!(
            "HloModule m, is_scheduled=true

%wrapped (p: f32[8,16]) -> f32[8,16] {{
  %p = f32[8,16]{{0,1}} parameter(0)
  ROOT %q = f32[8,16]{{1,0}} copy(%p)
}}

ENTRY %e {{
  %x = f32[16,8]{{1,0}} parameter(0)
  %y = f32[16,8]{{1,0}} custom-call(%x), custom_call_target=\"f\", backend_config={{{config}}}
  %b = f32[8,16]{{0,1}} bitcast(%{maker})
  %c = f32[8,16]{{1,0}} fusion(%b), kind=kLoop, calls=%wrapped
  ROOT %t = (f32[8,16]{{1,0}}, f32[16,8]{{1,0}}) tuple(%c, %y)
}}
"
        )
    };
    let cpu = "\"outer_dimension_partitions\":[\"2\"]";
    let advised = found(&text(cpu, "y"));
    let [cure] = &advised.cures[..] else {
        panic!("{:?}", advised.cures);
    };
    assert_eq!(
        (&cure.removes[..], &cure.doubt),
        (&["c".to_owned()][..], &None)
    );
    let paste = "out_shardings=(Format(Layout(major_to_minor=(1, 0)), s), s)";
    assert_eq!(cure.paste, [paste]);
    assert!(found(&text(cpu, "x")).cures.is_empty());
    assert!(!found(&text("\"kind\":\"__triton\"", "y")).is_verified);
}
