//! How often loops run.

use super::found;

#[test]
fn loops_run_as_often_as_they_do() {
    let text = |direction: &str, begin: i64, step: &str, limit: i64| {
        format!(
            "HloModule m\n%b {{\n  s = (s32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
            k = s32[] constant(3)\n  n = s32[] {step}(i, k)\n  c = s32[] copy(n)\n  ROOT t = (s32[]) tuple(c)\n}}\n\
            %c {{\n  s = (s32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  l = s32[] constant({limit})\n  \
            ROOT r = pred[] compare(i, l), direction={direction}\n}}\n\
            ENTRY e {{\n  z = s32[] constant({begin})\n  t = (s32[]) tuple(z)\n  \
            ROOT w = (s32[]) while(t), condition=%c, body=%b\n}}\n"
        )
    };
    for (direction, begin, step, limit) in [
        ("LT", 0, "add", 10),
        ("LT", 5, "add", 5),
        ("LE", 0, "add", 9),
        ("GT", 10, "subtract", -1),
        ("GE", 9, "subtract", 0),
        ("NE", 0, "add", 9),
    ] {
        let mut rounds = 0;
        let mut i = begin;
        while match direction {
            "LT" => i < limit,
            "LE" => i <= limit,
            "GT" => i > limit,
            "GE" => i >= limit,
            _ => i != limit,
        } {
            rounds += 1;
            i += if step == "add" { 3 } else { -3 };
        }
        let found = found(&text(direction, begin, step, limit));
        let executions = found
            .copies
            .iter()
            .find(|copy| copy.instruction == "c")
            .map(|copy| copy.executions);
        match rounds {
            0 => assert_eq!(executions, None),
            _ => assert_eq!(executions, Some(Some(rounds)), "{direction}"),
        }
    }
    // It never ends, or ends by a comparison with something else.
    for (direction, begin, step, limit) in [
        ("LT", 0, "subtract", 10),
        ("NE", 0, "add", 10),
        ("NE", 0, "subtract", 9),
        ("EQ", 0, "add", 10),
    ] {
        let found = found(&text(direction, begin, step, limit));
        let one = found
            .copies
            .iter()
            .find(|copy| copy.instruction == "c")
            .unwrap();
        assert_eq!(one.executions, None, "{direction}");
    }
}

/// The value after a round, the comparison, and how often the loop runs from 2 up to 20: the state
/// is the counter and the limit.
#[test]
fn scalars_of_loops_are_evaluated() {
    let executions = |next: &str, compare: &str| {
        let text = format!(
            "HloModule m\n%plus {{\n  a = s64[] parameter(0)\n  b = s64[] parameter(1)\n  ROOT c = s64[] add(a, b)\n}}\n\
            %minus {{\n  a = s64[] parameter(0)\n  b = s64[] parameter(1)\n  ROOT c = s64[] subtract(a, b)\n}}\n\
            %less {{\n  a = s64[] parameter(0)\n  b = s64[] parameter(1)\n  q = pred[] compare(b, a), direction=GT\n  \
            ROOT c = pred[] bitcast(q)\n}}\n\
            %b {{\n  s = (s64[], s64[]) parameter(0)\n  i = s64[] get-tuple-element(s), index=0\n  \
            l = s64[] get-tuple-element(s), index=1\n  k = s64[] constant(3)\n  big = s64[] constant(9223372036854775807)\n  \
            {next}\n  c = s64[] copy(n)\n  ROOT t = (s64[], s64[]) tuple(c, l)\n}}\n\
            %c {{\n  s = (s64[], s64[]) parameter(0)\n  i = s64[] get-tuple-element(s), index=0\n  \
            l = s64[] get-tuple-element(s), index=1\n  k = s64[] constant(5)\n  {compare}\n}}\n\
            ENTRY e {{\n  o = s64[] constant(1)\n  z = s64[] add(o, o)\n  l = s64[] constant(20)\n  \
            t = (s64[], s64[]) tuple(z, l)\n  ROOT w = (s64[], s64[]) while(t), condition=%c, body=%b\n}}\n"
        );
        let found = found(&text);
        let copy = found.copies.iter().find(|copy| copy.instruction == "c");
        copy.unwrap_or_else(|| panic!("{text}")).executions
    };
    let less = "ROOT r = pred[] compare(i, l), direction=LT";
    for (next, expected) in [
        ("n = s64[] add(i, k)", Some(6)),
        ("n = s64[] add(k, i)", Some(6)),
        ("j = s64[] add(k, k)\n  n = s64[] add(i, j)", Some(3)),
        (
            "one = s64[] constant(1)\n  j = s64[] subtract(k, one)\n  n = s64[] add(i, j)",
            Some(9),
        ),
        (
            "one = s64[] constant(1)\n  j = s64[] add(i, k)\n  n = s64[] subtract(j, one)",
            Some(9),
        ),
        ("n = s64[] fusion(i, k), kind=kLoop, calls=%plus", Some(6)),
        ("n = s64[] fusion(k, i), kind=kLoop, calls=%plus", Some(6)),
        (
            "j = s64[] fusion(k, k), kind=kLoop, calls=%minus\n  h = s64[] add(j, k)\n  n = s64[] add(i, h)",
            Some(6),
        ),
        // Behind tuples, and what does not change the value.
        (
            "u = (s64[], s64[]) tuple(k, i)\n  j = s64[] get-tuple-element(u), index=1\n  v = s64[] reshape(j)\n  n = s64[] add(v, k)",
            Some(6),
        ),
        // Not a counter that grows.
        ("n = s64[] subtract(k, i)", None),
        ("n = s64[] fusion(k, i), kind=kLoop, calls=%minus", None),
        ("n = s64[] add(i, i)", None),
        ("n = s64[] multiply(i, k)", None),
        ("n = s64[] add(l, k)", None),
        // More than an integer holds.
        ("j = s64[] add(big, big)\n  n = s64[] add(i, j)", None),
        ("j = s64[] add(i, big)\n  n = s64[] add(j, big)", None),
        (
            "j = s64[] subtract(i, big)\n  h = s64[] subtract(j, k)\n  n = s64[] add(h, big)",
            None,
        ),
    ] {
        assert_eq!(executions(next, less), expected, "{next}");
    }
    for (compare, expected) in [
        ("ROOT r = pred[] compare(l, i), direction=GT", Some(6)),
        ("ROOT r = pred[] compare(l, i), direction=GE", Some(7)),
        ("ROOT r = pred[] compare(l, i), direction=NE", Some(6)),
        ("ROOT r = pred[] compare(l, i), direction=LT", None),
        (
            "q = pred[] compare(i, l), direction=LT\n  ROOT r = pred[] copy(q)",
            Some(6),
        ),
        (
            "j = s64[] add(i, k)\n  ROOT r = pred[] compare(j, l), direction=LT",
            Some(5),
        ),
        (
            "j = s64[] subtract(l, k)\n  ROOT r = pred[] compare(i, j), direction=LT",
            Some(5),
        ),
        (
            "ROOT r = pred[] fusion(i, l), kind=kLoop, calls=%less",
            Some(6),
        ),
        (
            "ROOT r = pred[] fusion(l, i), kind=kLoop, calls=%less",
            None,
        ),
        ("ROOT r = pred[] constant(true)", None),
        // Both sides move.
        (
            "j = s64[] subtract(i, k)\n  ROOT r = pred[] compare(j, i), direction=LT",
            None,
        ),
    ] {
        assert_eq!(
            executions("n = s64[] add(i, k)", compare),
            expected,
            "{compare}"
        );
    }
}

/// A loop from 0 in steps of 1: the condition, and how often it runs, or at most.
#[test]
fn all_parts_of_a_condition_have_to_hold() {
    let executions = |condition: &str| {
        let text = format!(
            "HloModule m\n%both {{\n  a = pred[] parameter(0)\n  b = pred[] parameter(1)\n  ROOT c = pred[] and(a, b)\n}}\n\
            %b {{\n  s = (s32[], f32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
            x = f32[] get-tuple-element(s), index=1\n  k = s32[] constant(1)\n  n = s32[] add(i, k)\n  \
            c = s32[] copy(n)\n  ROOT t = (s32[], f32[]) tuple(c, x)\n}}\n\
            %c {{\n  s = (s32[], f32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
            x = f32[] get-tuple-element(s), index=1\n  l = s32[] constant(32)\n  m = s32[] constant(9)\n  \
            e = f32[] constant(0.5)\n  p = pred[] compare(i, l), direction=LT\n  q = pred[] compare(i, m), direction=LT\n  \
            y = pred[] compare(x, e), direction=GT\n  {condition}\n}}\n\
            ENTRY e {{\n  z = s32[] constant(0)\n  a = f32[] parameter(0)\n  t = (s32[], f32[]) tuple(z, a)\n  \
            ROOT w = (s32[], f32[]) while(t), condition=%c, body=%b\n}}\n"
        );
        let found = found(&text);
        let copy = found.copies.iter().find(|copy| copy.instruction == "c");
        let copy = copy.unwrap_or_else(|| panic!("{text}"));
        (copy.executions, copy.at_most)
    };
    for (condition, expected) in [
        ("ROOT r = pred[] and(p, q)", (Some(9), false)),
        ("ROOT r = pred[] and(p, y)", (Some(32), true)),
        ("ROOT r = pred[] and(y, q)", (Some(9), true)),
        (
            "o = pred[] and(p, y)\n  ROOT r = pred[] and(o, q)",
            (Some(9), true),
        ),
        (
            "ROOT r = pred[] fusion(p, y), kind=kLoop, calls=%both",
            (Some(32), true),
        ),
        ("ROOT r = pred[] or(p, q)", (None, false)),
        ("ROOT r = pred[] copy(y)", (None, false)),
    ] {
        assert_eq!(executions(condition), expected, "{condition}");
    }
}

/// The bytes are the largest number, and nothing panics.
#[test]
fn bytes_beyond_all_numbers_do_not_overflow() {
    let text = "HloModule m\n%b {\n  s = (u8[2305843009213693952]) parameter(0)\n  \
                x = u8[2305843009213693952]{0} get-tuple-element(s), index=0\n  \
                c = u8[2305843009213693952]{0} copy(x)\n  d = u8[2305843009213693952]{0} copy(c)\n  \
                ROOT t = (u8[2305843009213693952]{0}) tuple(d)\n}\n\
                %w {\n  s = (u8[2305843009213693952]) parameter(0)\n  ROOT r = pred[] constant(true)\n}\n\
                %v {\n  s = (u8[2305843009213693952]) parameter(0)\n  ROOT w = (u8[2305843009213693952]{0}) while(s), \
                condition=%w, body=%b, backend_config={\"known_trip_count\":{\"n\":\"18446744073709551615\"}}\n}\n\
                ENTRY e {\n  a = (u8[2305843009213693952]{0}) parameter(0)\n  \
                ROOT w = (u8[2305843009213693952]{0}) while(a), condition=%w, body=%v, \
                backend_config={\"known_trip_count\":{\"n\":\"18446744073709551615\"}}\n}\n";
    let found = found(text);
    assert_eq!(found.sums.all().0, 2, "{:?}", found.copies);
    assert_eq!(found.copies[0].executions, Some(u64::MAX));
    let one = (1 << 62) * u128::from(u64::MAX);
    assert_eq!(
        (found.sums.bytes, found.sums.traffic.least),
        (2 * one, 2 * one)
    );
    // Each copy more is another name.
    let more: String = (0..9)
        .map(|k| format!("  e{k} = u8[2305843009213693952]{{0}} copy(c)\n"))
        .collect();
    let found = super::found(&text.replace("  ROOT t", &format!("{more}  ROOT t")));
    assert_eq!(found.sums.all().0, 11);
    assert_eq!(
        (found.sums.bytes, found.sums.traffic.least),
        (u128::MAX, u128::MAX)
    );
}
