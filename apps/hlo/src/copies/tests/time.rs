//! What hides a copy, and the bytes that it waits for.

use super::super::{Groups, Overlap, Traffic};
use super::found;

/// A module whose copy from the main memory begins, then `between`, then it ends and is used.
fn module(scheduled: bool, to: &str, between: &str) -> String {
    let shape = |space: &str| format!("f32[1000]{{0:T(1024){space}}}");
    let a = shape("");
    let b = shape(to);
    format!(
        "HloModule m, is_scheduled={scheduled}\n\nENTRY %e {{\n  a = {a} parameter(0)\n  d = {a} parameter(1)\n  \
         c = ({b}, {a}, u32[]) copy-start(a)\n  {between}\n  e = {b} copy-done(c)\n  ROOT f = {a} add(e, d)\n}}\n"
    )
}

fn timed(module: &str) -> (Overlap, Traffic) {
    let found = found(module);
    assert_eq!(found.copies.len(), 1, "{module}");
    let copy = &found.copies[0];
    assert_eq!(copy.traffic, found.sums.traffic);
    (copy.overlap, copy.traffic)
}

fn traffic(least: u128, most: Option<u128>) -> Traffic {
    Traffic { least, most }
}

#[test]
fn operations_that_compute_hide_an_asynchronous_copy() {
    let none = "k = f32[] constant(0)";
    let one = "g = f32[1000]{0:T(1024)} negate(d)";
    let two = "g = f32[1000]{0:T(1024)} negate(d)\n  x = f32[1000]{0:T(1024)} bitcast(g)\n  h = f32[1000]{0:T(1024)} abs(x)";
    let fast = "S(1)";
    // Half of the bytes are in the fast memory.
    assert_eq!(
        timed(&module(true, fast, none)),
        (Overlap::Exposed, traffic(4096, Some(8192)))
    );
    assert_eq!(
        timed(&module(true, fast, one)),
        (Overlap::Hidden(1), traffic(0, Some(8192)))
    );
    assert_eq!(
        timed(&module(true, fast, two)),
        (Overlap::Hidden(2), traffic(0, Some(8192)))
    );
    assert_eq!(
        timed(&module(false, fast, two)),
        (Overlap::Unknown, traffic(0, Some(8192)))
    );
    assert_eq!(
        timed(&module(true, "", none)),
        (Overlap::Exposed, traffic(8192, Some(8192)))
    );
    // How fast the memory of the host is, nobody says.
    assert_eq!(
        timed(&module(true, "S(5)", none)),
        (Overlap::Exposed, traffic(4096, None))
    );
}

#[test]
fn a_loop_and_a_branch_count() {
    let a = "f32[64,32]{1,0}";
    let module = |limit: &str| {
        format!(
            "HloModule m, is_scheduled=true\n\n\
             %f {{\n  p = f32[64,32]{{0,1}} parameter(0)\n  ROOT q = {a} negate(p)\n}}\n\
             %b {{\n  s = (s32[], {a}) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
             x = {a} get-tuple-element(s), index=1\n  k = s32[] constant(1)\n  j = s32[] add(i, k)\n  \
             n = f32[64,32]{{0,1}} copy(x)\n  o = {a} fusion(n), kind=kLoop, calls=%f\n  \
             ROOT t = (s32[], {a}) tuple(j, o)\n}}\n\
             %w {{\n  s = (s32[], {a}) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
             l = s32[] {limit}\n  ROOT r = pred[] compare(i, l), direction=LT\n}}\n\
             ENTRY %e {{\n  a = {a} parameter(0)\n  z = s32[] constant(0)\n  t = (s32[], {a}) tuple(z, a)\n  \
             v = (s32[], {a}) while(t), condition=%w, body=%b\n  ROOT r = {a} get-tuple-element(v), index=1\n}}\n"
        )
    };
    let bytes = 2 * 64 * 32 * 4;
    assert_eq!(
        timed(&module("constant(9)")).1,
        traffic(9 * bytes, Some(9 * bytes))
    );
    let (seconds, most) = traffic(9 * bytes, None).seconds(1_000_000);
    assert!((seconds - 0.147_456).abs() < 1e-12 && most.is_none());
}

#[test]
fn groups_sum_all_modules() {
    let text = module(true, "S(1)", "k = f32[] constant(0)");
    let mut groups = Groups::default();
    for _ in 0..2 {
        crate::read_all(text.as_bytes(), "m".as_ref(), |_, module, tally| {
            groups.add(&module, tally, |module, instruction| {
                module.opcode_text(instruction).to_owned()
            });
        })
        .unwrap();
    }
    let [group] = &groups.sorted()[..] else {
        panic!("one opcode");
    };
    // A fetch into the fast memory changes no layout.
    assert_eq!(
        (&*group.name, group.copies, group.bytes),
        ("copy-start", 0, 0)
    );
    assert_eq!((group.moved, group.moved_bytes), (2, 16384));
    assert_eq!(group.traffic, traffic(8192, Some(16384)));
}

/// The bytes of each copy, counted from its own arrays.
#[test]
fn traffic_is_between_nothing_and_all_bytes() {
    for (name, text) in super::texts() {
        let found = found(&text);
        let mut sum = Traffic::default();
        for copy in &found.copies {
            let Traffic { least, most } = copy.traffic;
            assert!(least <= most.unwrap_or(least), "{name}");
            assert_eq!(
                most.is_none(),
                copy.from.memory_space == 5 || copy.to.memory_space == 5
            );
            assert!(most.is_none_or(|most| most == copy.total()), "{name}");
            if copy.overlap != Overlap::Exposed {
                assert_eq!(
                    (least, copy.opcode.ends_with("-start")),
                    (0, true),
                    "{name}"
                );
            }
            sum += copy.traffic;
        }
        assert_eq!(sum, found.sums.traffic, "{name}");
        let hidden = found
            .copies
            .iter()
            .filter(|copy| matches!(copy.overlap, Overlap::Hidden(_)));
        assert_eq!(hidden.count(), found.sums.hidden, "{name}");
    }
}
