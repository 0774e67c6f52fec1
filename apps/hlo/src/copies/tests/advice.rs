//! Advice: what is advised, what is not, and in which sequence.

use super::*;

/// Advice names the layouts with which XLA's own choice has fewer copies, and no others. `pairs`
/// holds models that were compiled in the same way as those in `copies`: `two_results` and `int8_t`
/// have copies that no choice removes.
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
        let before = entry_by_hand(text);
        let after = entry_by_hand(auto);
        let mut expected = Vec::new();
        for (side, (before, after)) in before.iter().zip(&after).enumerate() {
            for (k, (now, then)) in before.iter().zip(after).enumerate() {
                if order_by_hand(now) != order_by_hand(then) {
                    expected.push((side, k, then[then.find('{').unwrap()..].to_owned()));
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
                Entry::Parameter(k) => (0, k as usize, crate::layout(&change.then).to_string()),
                Entry::Result(k) => (
                    1,
                    k.unwrap_or(0) as usize,
                    crate::layout(&change.then).to_string(),
                ),
            })
            .collect();
        advised.sort();
        assert_eq!(advised, expected, "{file}");
        named += advised.len();
    }
    assert_eq!((all.len(), named), (44, 25));
}

/// Two programs in which `Layout.AUTO` chose what no advice named: a donated embedding that a
/// product reads, too, and a residual stream that is donated to a result of other sizes.
#[test]
fn advice_names_what_auto_chose_for_donated_parameters() {
    let advised = |text: &str| -> Vec<(Vec<String>, Vec<String>, Option<Doubt>)> {
        let cures = found(text).cures.into_iter();
        cures
            .map(|cure| {
                let layouts = cure.changes.iter().map(|change| {
                    let layout = crate::layout(&change.then);
                    format!("{:?} {layout}", change.entry)
                });
                (layouts.collect(), cure.removes, cure.doubt)
            })
            .collect()
    };
    let embedding = include_str!("../../../../cli/tests/data/cures/emb_scatter.default.v5e.hlo");
    let [(layouts, removes, doubt)] = &advised(embedding)[..] else {
        panic!("one piece of advice")
    };
    assert_eq!(
        layouts[..],
        [
            "Parameter(0) {0,1:T(8,128)}",
            "Result(Some(0)) {0,1:T(8,128)}"
        ]
    );
    assert_eq!(removes[..], ["copy", "copy.1"]);
    assert_eq!(*doubt, Some(Doubt::Read("convolution.3".to_owned())));
    let residual = include_str!("../../../../cli/tests/data/cures/ln_residual.default.v6e.hlo");
    let [(layouts, removes, None)] = &advised(residual)[..] else {
        panic!("one piece of advice that pays")
    };
    assert_eq!(layouts[..], ["Parameter(0) {2,0,1:T(8,128)}"]);
    for copy in ["copy.18", "copy.19", "copy.20", "copy.21"] {
        assert!(removes.iter().any(|removed| removed == copy), "{removes:?}");
    }
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

/// Each module was compiled twice by libtpu 0.0.51: as it is, and with the advised
/// `with_layout_constraint`.
#[test]
fn advised_constraints_kept_their_promise() {
    let modules = [
        (
            include_str!("../../../../cli/tests/data/constraints/sort_slice.default.v5e.hlo"),
            include_str!("../../../../cli/tests/data/constraints/sort_slice.constrained.v5e.hlo"),
            "jit(f)/slice",
            &["copy.2"][..],
        ),
        (
            include_str!("../../../../cli/tests/data/constraints/topk_gather.default.v5e.hlo"),
            include_str!("../../../../cli/tests/data/constraints/topk_gather.constrained.v5e.hlo"),
            "jit(f)/top_k",
            &["copy.13", "copy.12"],
        ),
    ];
    for (before, after, op_name, removed) in modules {
        let before = found(before);
        let after = found(after);
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
    // The same slice in two places is one value. It is copied once: 256 x 8 elements are read and
    // written.
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
