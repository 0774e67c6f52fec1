//! Copies of the given modules, counted a second time by other code, and of modules whose copies are known.

mod by_hand;
mod calls;
mod generated;
mod loops;
mod rules;
mod time;

use std::path::Path;

use super::super::graph::tests::graphs;
use super::cure::Entry;
use super::find::Kind;
use super::*;

/// The modules of the tests, by name.
fn texts() -> Vec<(String, String)> {
    let all = texts_of(&["copies", "hlo", "cpu"]);
    assert_eq!(all.len(), 34);
    all
}

fn texts_of(folders: &[&str]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../cli/tests/data")
            .join(folder);
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".hlo") {
                all.push((name, std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

fn found(text: &str) -> Found {
    let (modules, tally, told) = graphs(text);
    assert_eq!((modules.len(), told.join("\n")), (1, String::new()));
    examine(Path::new("x.hlo"), &modules[0], &tally, usize::MAX)
}

/// The arrays of `entry_computation_layout`, parameters and results.
fn entry_by_hand(text: &str) -> [Vec<String>; 2] {
    let line = text.lines().next().unwrap();
    let begin = line.find("entry_computation_layout={").unwrap();
    let line = &line[begin..];
    let line = &line[..line.find("}, allow_").or(line.find("}, frontend")).unwrap()];
    let (parameters, results) = line.split_once("->").unwrap();
    [parameters, results].map(by_hand::shapes_by_hand)
}

/// A layout without its dimensions of size 1.
fn order_by_hand(shape: &str) -> String {
    let (_, rest) = shape.split_once('[').unwrap();
    let (sizes, layout) = rest.split_once(']').unwrap();
    let sizes: Vec<&str> = sizes.split(',').collect();
    let layout = layout.trim_start_matches('{');
    let order = layout.split([':', '}']).next().unwrap();
    let order = order.split(',').filter(|dim| {
        dim.parse::<usize>()
            .is_ok_and(|dim| sizes.get(dim).is_some_and(|size| *size != "1"))
    });
    order.collect::<Vec<_>>().join(",")
}

/// Advice names the layouts with which XLA's own choice has fewer copies, and no others. `pairs` holds models that
/// were compiled in the same way as those in `copies`: `two_results` and `int8_t` have copies that no choice removes.
#[test]
fn advice_names_the_layouts_that_xla_chose() {
    let all = texts_of(&["copies", "pairs"]);
    let mut named = 0;
    for (file, text) in &all {
        let Some(model) = file.strip_suffix(".default.v5e.hlo") else {
            continue;
        };
        let auto = format!("{model}.auto.v5e.hlo");
        let (_, auto) = all.iter().find(|one| one.0 == auto).unwrap();
        let (before, after) = (entry_by_hand(text), entry_by_hand(auto));
        let mut expected = Vec::new();
        for (side, (before, after)) in before.iter().zip(&after).enumerate() {
            for (k, (now, then)) in before.iter().zip(after).enumerate() {
                if order_by_hand(now) != order_by_hand(then) {
                    expected.push((side, k, crate::tally::layout(then).to_owned()));
                }
            }
        }
        let cures = found(text).cures;
        let changes = cures.iter().flat_map(|cure| {
            assert!(!cure.removes.is_empty(), "{file}");
            assert_eq!(cure.saved == 0, cure.doubt == Some(Doubt::Fused), "{file}");
            &cure.changes
        });
        let mut advised: Vec<_> = changes
            .map(|change| match change.entry {
                Entry::Parameter(k) => (
                    0,
                    k as usize,
                    crate::tally::layout(&change.then.to_string()).to_owned(),
                ),
                Entry::Result(k) => (
                    1,
                    k.unwrap_or(0) as usize,
                    crate::tally::layout(&change.then.to_string()).to_owned(),
                ),
            })
            .collect();
        advised.sort();
        assert_eq!(advised, expected, "{file}");
        named += advised.len();
    }
    assert_eq!((all.len(), named), (44, 25));
}

/// What was compiled again, and was worse, is not promised: `cli/check_advice.py` on libtpu 0.0.51.
#[test]
fn advice_that_may_not_pay_is_last() {
    let doubts = |folder: &str, model: &str| {
        let name = format!("{model}.default.v5e.hlo");
        let all = texts_of(&[folder]);
        let (_, text) = all.iter().find(|one| one.0 == name).unwrap();
        let found = found(text);
        assert!(found.is_verified);
        assert_eq!(found.paste.is_empty(), found.paying() == 0, "{model}");
        found
            .cures
            .iter()
            .map(|cure| cure.doubt.clone())
            .collect::<Vec<_>>()
    };
    const MIB: u128 = 1 << 20;
    let larger = |mib| Some(Doubt::Larger(mib * MIB));
    // The result takes 6 MiB more, but what was copied into it is not there: the peak is lower.
    assert_eq!(doubts("copies", "conv_nchw"), [None, Some(Doubt::Fused)]);
    // Here the peak is when all results are there.
    let more = Doubt::Larger(128 << 10);
    assert_eq!(doubts("cures", "patchify"), [Some(more)]);
    // The result is in the memory of the parameter.
    assert_eq!(doubts("copies", "kv_cache_update"), [larger(4)]);
    assert_eq!(doubts("copies", "mla_projection"), [None, None]);
    assert_eq!(doubts("copies", "rope_interleave"), [None]);
    // Elements of lanes would be reversed in place of rows.
    let slower = Doubt::Slower("rev.1".to_owned());
    assert_eq!(doubts("cures", "gather_rev_t"), [None, Some(slower)]);
    // The loop needs its state in fast memory, and the sum of both transposes uses it there.
    assert_eq!(doubts("cures", "scan_layers"), [Some(Doubt::Moved)]);
    assert_eq!(doubts("cures", "two_transposes"), [Some(Doubt::Moved)]);
    // A loop that does nothing but write the result does not need it there.
    assert_eq!(doubts("cures", "lstm_tmajor"), [None]);
    // The steps of a loop read its input in place, if time is the most major dimension.
    assert_eq!(doubts("cures", "gru"), [None, Some(Doubt::State)]);
}

/// Of all modules of the tests these two have copies that another program does not make.
#[test]
fn patterns_of_programs_are_known() {
    let all = texts_of(&["copies", "pairs", "cures", "hlo"]);
    let rewrites = all.iter().flat_map(|(file, text)| {
        let rewrites = found(text).rewrites.into_iter();
        rewrites.map(|one| (file.split('.').next().unwrap(), one.removes, one.paste))
    });
    let products = "parts = [x @ w for w in jnp.split(weights, 3, axis=-1)]";
    let convolution = "y = lax.conv_general_dilated(x, weights.reshape(16, 16, 3, -1), (16, 16), 'VALID', \
                       dimension_numbers=('NHWC', 'HWIO', 'NHWC')).reshape(16, 196, -1)";
    let copies = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        rewrites.collect::<Vec<_>>(),
        [
            (
                "patchify",
                copies(&["reshape.2", "copy.2", "reshape.3"]),
                convolution.to_owned()
            ),
            ("qkv_split", copies(&["copy.6"]), products.to_owned()),
        ]
    );
}

#[test]
fn moves_between_memory_spaces_are_counted_apart() {
    for (file, text) in texts() {
        let found = found(&text);
        let moved = || {
            found
                .copies
                .iter()
                .filter(|copy| copy.kind == Kind::MemorySpace)
        };
        assert_eq!(moved().count(), found.sums.moved, "{file}");
        assert_eq!(
            moved().map(Copy::total).sum::<u128>(),
            found.sums.moved_bytes,
            "{file}"
        );
        // These are of the compiler for TPUs, but for those in `cpu`, of which some say how loops are cut.
        let verified = ["T(", "\"outer_dimension_partitions\"", "__ynn"];
        let verified = verified.iter().any(|words| text.contains(words));
        assert_eq!(found.is_verified, verified, "{file}");
    }
}

/// A transpose of an argument is a bitcast and a copy. XLA's own choice has no copy either, but changes three layouts.
#[test]
fn a_transpose_of_an_argument_is_in_its_layout() {
    let text = include_str!("../../../cli/tests/data/cures/kv_scatter.default.v5e.hlo");
    let cures = found(text).cures;
    let [cure] = &cures[..] else {
        panic!("{cures:?}")
    };
    let [change] = &cure.changes[..] else {
        panic!("{cure:?}")
    };
    assert_eq!(change.entry, Entry::Parameter(1));
    assert_eq!(change.order, [0, 2, 1, 3]);
    assert_eq!(cure.removes, ["copy"]);
}

#[test]
fn causes_and_places_are_told() {
    let text = include_str!("../../../cli/tests/data/copies/mla_projection.default.v5e.hlo");
    let found = found(text);
    let one = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "copy.1")
        .unwrap();
    assert_eq!(one.kind, Kind::Layout);
    assert_eq!(
        one.cause,
        "convolution %convolution.4 fixes the layout before it, entry result 1 the one after it"
    );
    assert_eq!(
        (&*one.producer, &*one.consumers),
        ("bitcast.22", &["tuple".to_owned()][..])
    );
    assert_eq!(
        (one.read, one.written, one.executions),
        (2 << 20, 2 << 20, Some(1))
    );
    let fetch = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "copy-start")
        .unwrap();
    assert_eq!(fetch.kind, Kind::MemorySpace);
    assert!(fetch.cause.contains("convolution"), "{}", fetch.cause);
    let text = include_str!("../../../cli/tests/data/copies/scan_transposed.default.v5e.hlo");
    let found = self::found(text);
    let one = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "copy.13")
        .unwrap();
    assert_eq!((one.kind, one.executions), (Kind::Rearrange, Some(20)));
    assert!(
        one.cause.starts_with("loop state of %while"),
        "{}",
        one.cause
    );
    let one = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "broadcast_in_dim.4")
        .unwrap();
    assert_eq!(one.source.as_deref(), Some("model.py:50"));
    let text = include_str!("../../../cli/tests/data/copies/kv_cache_update.default.v5e.hlo");
    let found = self::found(text);
    let one = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "copy")
        .unwrap();
    assert!(one.cause.contains("donated"), "{}", one.cause);
    assert_eq!(found.cures[0].paste.len(), 2);
    assert_eq!(
        found.cures[0].paste[0],
        "in_shardings=(Format(Layout(major_to_minor=(2, 0, 1, 3)), s), s, s)"
    );
}

/// XLA prints computations in another sequence than a `.hlo.pb` has: the answers are the same.
#[test]
fn the_sequence_of_computations_is_no_matter() {
    let (a, b) = ("f32[256,128]{1,0}", "f32[256,128]{0,1}");
    let fusion = |name: &str| {
        format!("%{name} {{\n  p = {a} parameter(0)\n  ROOT {name}.c = {b} copy(p)\n}}\n")
    };
    let entry = format!(
        "ENTRY %e {{\n  p = {a} parameter(0)\n  n = {a} negate(p)\n  x = {b} fusion(n), kind=kLoop, calls=%f\n  \
        y = {b} fusion(n), kind=kLoop, calls=%g\n  ROOT t = ({b}, {b}) tuple(x, y)\n}}\n"
    );
    let [f, g] = ["f", "g"].map(fusion);
    let told = |first: &str, second: &str| {
        let found = found(&format!(
            "HloModule m, is_scheduled=true\n\n{first}{second}{entry}"
        ));
        let copies = found
            .copies
            .iter()
            .map(|one| (one.instruction.clone(), one.cause.clone()));
        let cures = found
            .cures
            .iter()
            .map(|one| (one.removes.clone(), one.paste.clone()));
        (copies.collect::<Vec<_>>(), cures.collect::<Vec<_>>())
    };
    let (copies, cures) = told(&f, &g);
    assert_eq!((copies.len(), cures.is_empty()), (2, false));
    assert_eq!(told(&g, &f), (copies, cures));
}

/// A sum is no copy, though its result is a scalar as an index is.
#[test]
fn a_fusion_that_sums_up_is_no_copy() {
    let body = |operation: &str| {
        format!(
            "HloModule m\n\n%add {{\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = f32[] add(x, y)\n}}\n\
            %f {{\n  p = f32[64,64]{{1,0}} parameter(0)\n  k = s32[] parameter(1)\n  {operation}\n}}\n\
            ENTRY %e {{\n  a = f32[64,64]{{1,0}} parameter(0)\n  i = s32[] parameter(1)\n  \
            ROOT r = f32[1,64]{{1,0}} fusion(a, i), kind=kLoop, calls=%f\n}}\n"
        )
    };
    let sum = "o = f32[] constant(0)\n  s = f32[] reduce(p, o), dimensions={0,1}, to_apply=%add\n  \
        ROOT b = f32[1]{0} bitcast(s)";
    assert_eq!(found(&body(sum)).sums.all().0, 0);
    let slice = "one = s32[] constant(1)\n  i = s32[] add(k, one)\n  o = s32[] constant(0)\n  \
        ROOT s = f32[1,64]{1,0} dynamic-slice(p, i, o), dynamic_slice_sizes={1,64}";
    assert_eq!(found(&body(slice)).sums.all().0, 1);
}

/// Each module was compiled twice by libtpu 0.0.51: as it is, and with the advised `with_layout_constraint`.
#[test]
fn advised_constraints_kept_their_promise() {
    let modules = [
        (
            include_str!("../../../cli/tests/data/constraints/sort_slice.default.v5e.hlo"),
            include_str!("../../../cli/tests/data/constraints/sort_slice.constrained.v5e.hlo"),
            "jit(f)/slice",
            &["copy.2"][..],
        ),
        (
            include_str!("../../../cli/tests/data/constraints/topk_gather.default.v5e.hlo"),
            include_str!("../../../cli/tests/data/constraints/topk_gather.constrained.v5e.hlo"),
            "jit(f)/top_k",
            &["copy.13", "copy.12"],
        ),
    ];
    for (before, after, op_name, removed) in modules {
        let (before, after) = (found(before), found(after));
        let constraints = &before.constraints;
        let removes: Vec<&str> = constraints.iter().map(|one| &*one.removes).collect();
        assert_eq!(removes, removed);
        for constraint in constraints {
            assert!(constraint.added * 10 < constraint.saved, "{constraint:?}");
            let [value] = &constraint.values[..] else {
                panic!("{constraint:?}");
            };
            assert_eq!(value.op_name, op_name);
            let paste = "x = with_layout_constraint(x, Layout(major_to_minor=(1, 0)))";
            assert_eq!(value.paste, paste);
        }
        let saved: u128 = constraints.iter().map(|one| one.saved).sum();
        let added: u128 = constraints.iter().map(|one| one.added).sum();
        assert!(after.sums.bytes <= before.sums.bytes - saved + added);
        assert!(after.constraints.is_empty());
    }
}

/// What else uses the copy needs all of it, and a large slice is no gain.
#[test]
fn a_constraint_is_advised_if_only_slices_are_used() {
    let module = |of: &str, columns: u32, rest: &str| {
        format!(
            "HloModule m, is_scheduled=true\n\n%less {{\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  \
            ROOT z = pred[] compare(x, y), direction=LT\n}}\n\n\
            %f {{\n  p = f32[256,1024]{{1,0}} parameter(0)\n  \
            s = f32[256,{columns}]{{1,0}} slice(p), slice={{[0:256], [0:{columns}]}}\n  \
            ROOT n = f32[256,{columns}]{{1,0}} negate(s)\n}}\n\n\
            ENTRY %e {{\n  a = f32[256,1024]{{0,1}} parameter(0)\n  \
            b = f32[256,1024]{{0,1}} {of}\n  c = f32[256,1024]{{1,0}} copy(b)\n  \
            x = f32[256,{columns}]{{1,0}} fusion(c), kind=kLoop, calls=%f\n  \
            y = f32[256,{columns}]{{1,0}} slice(c), slice={{[0:256], [0:{columns}]}}\n  \
            d = f32[{columns},{columns}]{{1,0}} dot(x, y), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}\n  \
            {rest}\n}}\n"
        )
    };
    let advised = |text: &str| {
        let found = found(text);
        assert!(found.copies.iter().any(|copy| copy.instruction == "c"));
        let all = found.constraints.into_iter();
        all.map(|one| (one.removes, one.by, one.saved, one.added))
            .collect::<Vec<_>>()
    };
    let sort = "sort(a), dimensions={1}, to_apply=%less";
    let root = "ROOT r = f32[] constant(0)";
    // The same slice in two places is one value. It is copied once: 256 x 8 elements are read and written.
    let whole = 2 * 4 * 256 * 1024;
    let expected = ("c".to_owned(), "b".to_owned(), whole, 2 * 4 * 256 * 8);
    assert_eq!(advised(&module(sort, 8, root)), [expected]);
    // The other result of the sort is copied as a whole.
    let both = "(f32[256,1024]{0,1}, f32[256,1024]{0,1}) sort(a, a), dimensions={1}, to_apply=%less\n  \
        g = f32[256,1024]{0,1} get-tuple-element(q), index=0";
    let both = |root: &str| {
        module("negate(a)", 8, root)
            .replace("copy(b)", "copy(g)")
            .replace("b = f32[256,1024]{0,1} negate(a)", &format!("q = {both}"))
    };
    assert_eq!(advised(&both(root)).len(), 1);
    let other = "h = f32[256,1024]{0,1} get-tuple-element(q), index=1\n  ROOT r = f32[256,1024]{1,0} copy(h)";
    assert_eq!(advised(&both(other)), []);
    // 64 users are followed: the fusion, the slice in it, the slice beside it, and so many more.
    let more = |count: u32| {
        let slice = |k| format!("s{k} = f32[256,8]{{1,0}} slice(c), slice={{[0:256], [0:8]}}\n  ");
        (0..count).map(slice).collect::<String>() + root
    };
    assert_eq!(advised(&module(sort, 8, &more(61))).len(), 1);
    assert_eq!(advised(&module(sort, 8, &more(62))), []);
    // A slice of more than a half; another user; no operation that fixes the layout.
    assert_eq!(advised(&module(sort, 600, root)), []);
    let user = "ROOT r = f32[256,1024]{1,0} negate(c)";
    assert_eq!(advised(&module(sort, 8, user)), []);
    assert_eq!(advised(&module("negate(a)", 8, root)), []);
}

/// An operation whose layouts are not tied to those of others is named by its class.
#[test]
fn the_class_of_an_operation_is_the_cause() {
    for (opcode, class) in [
        ("convolution", "convolution"),
        ("dot", "dot"),
        ("ragged-dot", "dot"),
        ("sort", "sort"),
        ("topk", "top-k"),
        ("gather", "gather"),
        ("scatter", "scatter"),
        ("select-and-scatter", "scatter"),
        ("reduce-window", "reduce-window"),
        ("fft", "fft"),
        ("cholesky", "cholesky"),
        ("triangular-solve", "triangular solve"),
        ("recv", "host transfer"),
    ] {
        let text = format!(
            "HloModule m, is_scheduled=true

ENTRY %e (x: f32[8,6]) -> f32[8,6] {{
  %x = f32[8,6]{{1,0}} parameter(0)
  %o = f32[8,6]{{1,0}} {opcode}(%x, %x, %x)
  %c = f32[8,6]{{0,1}} copy(%o)
  ROOT %p = f32[8,6]{{0,1}} {opcode}(%c, %c, %c)
}}
"
        );
        let found = found(&text);
        let [copy] = &found.copies[..] else {
            panic!("{opcode}: {:?}", found.copies);
        };
        let expected = format!("{class} %o fixes the layout before it");
        assert!(
            copy.cause.starts_with(&expected),
            "{opcode}: {}",
            copy.cause
        );
    }
}

/// What an asynchronous operation runs is listed with it, or by itself, but not twice.
#[test]
fn an_asynchronous_operation_is_listed_once() {
    let module = |begin: &str, end: &str, body: &str| {
        let text = format!(
            "HloModule m, is_scheduled=true

%f (p: f32[8,6]) -> f32[8,6] {{
  %p = f32[8,6]{{1,0}} parameter(0)
  {body}
}}

ENTRY %e (x: f32[8,6]) -> f32[8,6] {{
  %x = f32[8,6]{{1,0}} parameter(0)
  %start = ((f32[8,6]{{1,0}}), f32[8,6]{{0,1}}, s32[]) {begin}
  ROOT %done = f32[8,6]{{0,1}} {end}(%start)
}}
"
        );
        let copies = found(&text).copies.into_iter();
        let one = |copy: Copy| (copy.instruction, copy.kind.name(), copy.read, copy.written);
        copies.map(one).collect::<Vec<_>>()
    };
    let copy = "ROOT %c = f32[8,6]{0,1} copy(%p)";
    let whole = [("start".to_owned(), "layout", 192, 192)];
    assert_eq!(
        module("async-start(%x), calls=%f", "async-done", copy),
        whole
    );
    let begin = "fusion-start(%x), kind=kLoop, calls=%f";
    assert_eq!(module(begin, "fusion-done", copy), whole);
    let begin = "call-start(%x), to_apply=%f";
    let inside = [("c".to_owned(), "layout", 192, 192)];
    assert_eq!(module(begin, "call-done", copy), inside);
    let computes = "%c = f32[8,6]{0,1} copy(%p)\n  ROOT %n = f32[8,6]{0,1} negate(%c)";
    assert_eq!(
        module("async-start(%x), calls=%f", "async-done", computes),
        inside
    );
}

/// Layouts are carried through all operations that XLA takes for elementwise ones.
#[test]
fn layouts_are_carried_through_elementwise_operations() {
    let advice = |operation: &str| -> usize {
        let other = format!(" {operation}(");
        let found = texts().into_iter().map(|(_, text)| {
            let text = text.replace(" multiply(", &other).replace(" add(", &other);
            found(&text).cures.len()
        });
        found.sum()
    };
    let expected = advice("multiply");
    assert_eq!((advice("cosh"), advice("popcnt")), (expected, expected));
    assert!(advice("unknown") < expected);
}
