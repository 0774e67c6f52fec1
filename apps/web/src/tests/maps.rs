//! The operations of the part Algebra.

use super::{ask, shown};

#[test]
fn every_operation_of_algebra_has_steps_and_a_picture() {
    let memory = [("bytes", "4"), ("banks", "32"), ("width", "4")];
    for (operation, fields, said) in [
        (
            "compose",
            &[("a", "(6,2):(8,2)"), ("b", "(4,3):(3,1)")][..],
            "(2,2,3):(24,2,8)",
        ),
        (
            "divide",
            &[("a", "24:3"), ("b", "4:2")],
            "3 * (i0 % 2) + 24 * (i0 / 2) + 6 * i1",
        ),
        (
            "complement",
            &[("a", "(4,2):(1,8)"), ("size", "64")],
            "(2,4):(4,16)",
        ),
        ("invert", &[("a", "(4,8):(8,1)")], "(8,4):(4,1)"),
        ("right_invert", &[("a", "(4,8):(9,1)")], "8:4"),
        (
            "equal",
            &[("a", "4:1"), ("b", "(2,2):(1,3)")],
            "different: index 2",
        ),
        (
            "swizzle",
            &[("a", "32:1"), ("b", "32:32")],
            "Swizzle<5,0,5>",
        ),
        (
            "between",
            &[
                ("a", "(8,64):(64,1)"),
                ("b", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
            ],
            "Swizzle<3,3,3>",
        ),
        (
            "conflicts",
            &[("a", "32:32"), ("swizzle", "5,0,5")],
            "1 wavefront: no bank conflicts",
        ),
    ] {
        let all = [&[("operation", operation)], fields, &memory].concat();
        let found = shown("algebra", &all);
        assert!(found.to_string().contains(said), "{operation}: {found}");
        assert!(
            found["svg"]
                .as_str()
                .is_some_and(|svg| svg.starts_with("<svg"))
        );
        assert_eq!(found["is_no"], operation == "equal");
    }
    for fields in [
        &[("operation", "conflicts"), ("a", "32:32")][..],
        &[("operation", "compose"), ("a", "(6,2):(8,2")],
        &[("operation", "turn"), ("a", "4:1")],
        &[
            ("operation", "conflicts"),
            ("a", "32:32"),
            ("bytes", "0"),
            ("banks", "1"),
            ("width", "1"),
        ],
    ] {
        assert!(ask("algebra", fields)["errors"].is_array(), "{fields:?}");
    }
}
