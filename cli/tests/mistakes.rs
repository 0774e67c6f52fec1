//! What a newcomer gets wrong on the command line, and what the program says to it.

mod program;

use expect_test::{Expect, expect};
use program::refusal;

fn check(arguments: &[&str], expected: Expect) {
    let text = refusal(arguments);
    assert!(text.starts_with("exit code 2\n"), "{text}");
    expected.assert_eq(&text);
}

fn shape(text: &str, expected: Expect) {
    check(&["explain", text], expected);
}

#[test]
fn names_of_types() {
    shape("float32[2,3]", expect![[r#"
        exit code 2
        error: unknown element type `float32`
         |
         | float32[2,3]
         | ^^^^^^^
         |
         = help: write `f32`
    "#]]);
    shape("[2,3]", expect![[r#"
        exit code 2
        error: expected an element type, found `[`
         |
         | [2,3]
         | ^
         |
         = help: a shape begins with the type of its elements: `f32[2,3]`
    "#]]);
    shape("int8", expect![[r#"
        exit code 2
        error: unknown element type `int8`
         |
         | int8
         | ^^^^
         |
         = help: write `s8`
    "#]]);
}

#[test]
fn brackets_and_commas() {
    shape("f32(2,3)", expect![[r#"
        exit code 2
        error: dimensions stand in square brackets, found `(`
         |
         | f32(2,3)
         |    ^
         |
         = help: write `f32[2,3]`
    "#]]);
    shape("f32[2x3]", expect![[r#"
        exit code 2
        error: `2x3` is not one number
         |
         | f32[2x3]
         |     ^^^
         |
         = help: separate dimensions with a comma: `2,3`
    "#]]);
    shape("f32[2 3]", expect![[r#"
        exit code 2
        error: expected `,` or `]`, found `3`
         |
         | f32[2 3]
         |       ^
         |
         = help: separate dimensions with commas
    "#]]);
    shape("f32[2,3]{0,1", expect![[r#"
        exit code 2
        error: this `{` is never closed
         |
         | f32[2,3]{0,1
         |         ^
         |
         = help: write `}` where it ends
    "#]]);
    shape("", expect![[r#"
        exit code 2
        error: expected a shape, found nothing
         |
         = help: write one such as `f32[2,3]{1,0}`
    "#]]);
}

#[test]
fn layouts() {
    shape("f32[2,3]{1,2}", expect![[r#"
        exit code 2
        error: minor_to_major counts dimensions from 1
         |
         | f32[2,3]{1,2}
         |         ^^^^^
         |
         = help: dimensions count from 0: did you mean `{0,1}`?
    "#]]);
    shape("f32[2,3]{0}", expect![[r#"
        exit code 2
        error: minor_to_major lists 1 dimension, but the shape has 2
         |
         | f32[2,3]{0}
         |         ^^^
         |
         = help: write `{1,0}` (row-major) or `{0,1}` (column-major); the dimension that varies fastest stands first
    "#]]);
    shape("f32[2,3]{1,0:T[8,128]}", expect![[r#"
        exit code 2
        error: expected `(` after `T`, found `[`
         |
         | f32[2,3]{1,0:T[8,128]}
         |               ^
         |
         = help: write `T(8,128)`
    "#]]);
    shape("f32[2,3]{1,0:T(8,*)}", expect![[r#"
        exit code 2
        error: a `*` at the end of a tile has no dimension to merge into
         |
         | f32[2,3]{1,0:T(8,*)}
         |                  ^
         |
         = help: `*` merges a dimension with the next more minor one; end the tile with a number
    "#]]);
    shape("f32[-1,3]", expect![[r#"
        exit code 2
        error: dimension 0 has the negative size -1
         |
         | f32[-1,3]
         |     ^^
         |
         = help: write 0 or more; `<=8` for a size that is known at run time and at most 8, `?` for one without a bound
    "#]]);
}

#[test]
fn several_mistakes_at_once() {
    shape("float32[2.3]{0,0}", expect![[r#"
        exit code 2
        error: unknown element type `float32`
         |
         | float32[2.3]{0,0}
         | ^^^^^^^
         |
         = help: write `f32`

        error: `2.3` is not a whole number
         |
         | float32[2.3]{0,0}
         |         ^^^
         |
         = help: separate dimensions with a comma: `2,3`

        error: minor_to_major lists dimension 0 more than once and lacks dimension 1
         |
         | float32[2.3]{0,0}
         |                ^
         |
         = help: list every dimension once, the one that varies fastest first
    "#]]);
}

#[test]
fn sizes_that_are_not_known_or_too_large() {
    shape("f32[?,3]", expect![[r#"
        exit code 2
        error: the size of a dimension is not known
         |
         | f32[?,3]
         |     ^ only the run time knows this size
         |
         = help: write a size such as `8`, or `<=8` for one that changes and is at most 8
    "#]]);
    shape("(f32[2], f32[?])", expect![[r#"
        exit code 2
        error: the size of a dimension is not known
         |
         | (f32[2], f32[?])
         |              ^ only the run time knows this size
         |
         = help: write a size such as `8`, or `<=8` for one that changes and is at most 8
    "#]]);
    shape("f32[99999999999,99999999999]", expect![[r#"
        exit code 2
        error: the dimensions multiply to 9999999999800000000001 elements, more than 9223372036854775807
         |
         | f32[99999999999,99999999999]
         |    ^^^^^^^^^^^^^^^^^^^^^^^^^
         |
         = help: XLA counts elements and bytes in 64 bits with a sign
    "#]]);
}

#[test]
fn what_a_shell_leaves_of_braces() {
    check(&["explain", "f32[2,3]1", "f32[2,3]0"], expect![[r#"
        exit code 2
        error: a shell took a shape apart at its braces
         |
         | f32[2,3]1 f32[2,3]0
         | ^^^^^^^^^^^^^^^^^^^
         |
         = help: put the shape in quotes: 'f32[2,3]{1,0}'
    "#]]);
    check(
        &["diff", "f32[2,3]1", "f32[2,3]0", "f32[2,3]0", "f32[2,3]1"],
        expect![[r#"
            exit code 2
            error: a shell took a shape apart at its braces
             |
             | f32[2,3]1 f32[2,3]0
             | ^^^^^^^^^^^^^^^^^^^
             |
             = help: put the shape in quotes: 'f32[2,3]{1,0}'
        "#]],
    );
    shape("f32[2,3]1", expect![[r#"
        exit code 2
        error: unexpected `1` after the shape
         |
         | f32[2,3]1
         |         ^
         |
         = help: shells read braces and brackets themselves: put the shape in quotes, 'f32[2,3]{1,0}'
    "#]]);
}

#[test]
fn indices() {
    let at = |text: &str, expected: Expect| check(&["explain", "f32[4,3]", "--at", text], expected);
    at("3,9", expect![[r#"
        exit code 2
        error: coordinate 9 of dimension 1 is out of bounds
         |
         | --at 3,9
         |        ^ dimension 1 has size 3: its last index is 2
    "#]]);
    at("1", expect![[r#"
        exit code 2
        error: 1 coordinate is given, but the array has 2 dimensions
         |
         | --at 1
         |      ^
         |
         = help: write one for each dimension, such as `--at 0,0`; a linear index is asked for by `--offset 1`
    "#]]);
    at("-1,2", expect![[r#"
        exit code 2
        error: coordinate -1 is negative
         |
         | --at -1,2
         |      ^^
         |
         = help: counted from the end, -1 is index 3 of dimension 0
    "#]]);
    at("3x2", expect![[r#"
        exit code 2
        error: `3x2` is not a whole number
         |
         | --at 3x2
         |      ^^^
         |
         = help: separate numbers with commas: `3,2`
    "#]]);
    at("1e0,", expect![[r#"
        exit code 2
        error: `1e0` is not a whole number
         |
         | --at 1e0,
         |      ^^^
         |
         = help: write 1
    "#]]);
    at("", expect![[r#"
        exit code 2
        error: 0 coordinates are given, but the array has 2 dimensions
         |
         | --at 
         |      ^
         |
         = help: write one for each dimension, such as `--at 0,0`
    "#]]);
    at("4,3", expect![[r#"
        exit code 2
        error: coordinate 4 of dimension 0 is out of bounds
         |
         | --at 4,3
         |      ^ dimension 0 has size 4: its last index is 3

        error: coordinate 3 of dimension 1 is out of bounds
         |
         | --at 4,3
         |        ^ dimension 1 has size 3: its last index is 2
    "#]]);
    at("99999999999999999999,0", expect![[r#"
        exit code 2
        error: coordinate 99999999999999999999 of dimension 0 is out of bounds
         |
         | --at 99999999999999999999,0
         |      ^^^^^^^^^^^^^^^^^^^^ dimension 0 has size 4: its last index is 3
    "#]]);
    check(&["explain", "f32[0]", "--at", "0"], expect![[r#"
        exit code 2
        error: coordinate 0 of dimension 0 is out of bounds
         |
         | --at 0
         |      ^ dimension 0 has size 0: there are no elements
    "#]]);
    check(&["explain", "f32[]", "--at", "0"], expect![[r#"
        exit code 2
        error: 1 coordinate is given, but the array is a scalar
         |
         | --at 0
         |      ^
         |
         = help: write `--at ''`: a scalar has one index, without coordinates
    "#]]);
    check(&["explain", "(f32[2], f32[3])", "--at", "0"], expect![[r#"
        exit code 2
        error: an index belongs to one array, and this is none or several
         |
         | (f32[2], f32[3])
         | ^^^^^^^^^^^^^^^^
         |
         = help: explain the array alone
    "#]]);
}

#[test]
fn offsets() {
    let of = |text: &str, expected: Expect| {
        check(&["explain", "f32[4,3]", "--offset", text], expected);
    };
    of("1e9", expect![[r#"
        exit code 2
        error: `1e9` is not a whole number from 0 on
         |
         | --offset 1e9
         |          ^^^
         |
         = help: write 1000000000
    "#]]);
    of("-1", expect![[r#"
        exit code 2
        error: `-1` is not a whole number from 0 on
         |
         | --offset -1
         |          ^^
         |
         = help: places count from 0 to 11
    "#]]);
    of("3,2", expect![[r#"
        exit code 2
        error: `3,2` is not a whole number from 0 on
         |
         | --offset 3,2
         |          ^^^
         |
         = help: a linear index is one number; for an index of several use `--at`
    "#]]);
    of("12", expect![[r#"
        exit code 2
        error: place 12 lies beyond the end of the array, which has 12 places
         |
         | --offset 12
         |          ^^ the last place is 11
    "#]]);
    check(
        &["explain", "f32[4,3]", "--byte-offset", "48"],
        expect![[r#"
            exit code 2
            error: byte 48 lies beyond the end of the array, which has 48 bytes
             |
             | --byte-offset 48
             |               ^^ the last byte is 47
        "#]],
    );
}

#[test]
fn words_that_the_command_line_does_not_have() {
    check(&["explan", "f32[2]"], expect![[r#"
        exit code 2
        error: unrecognized subcommand 'explan'

          tip: a similar subcommand exists: 'explain'

        Usage: xlayout [OPTIONS] [COMMAND]

        For more information, try '--help'.
    "#]]);
    check(&["explain", "f32[2]", "--ofset", "3"], expect![[r#"
        exit code 2
        error: unexpected argument '--ofset' found

          tip: a similar argument exists: '--offset'

        Usage: xlayout explain --offset <N> <SHAPE>

        For more information, try '--help'.
    "#]]);
    check(&["explain"], expect![[r#"
        exit code 2
        error: the following required arguments were not provided:
          <SHAPE>

        Usage: xlayout explain <SHAPE>

        For more information, try '--help'.
    "#]]);
    check(&["--color", "blue"], expect![[r#"
        exit code 2
        error: invalid value 'blue' for '--color <WHEN>'
          [possible values: auto, always, never]

        For more information, try '--help'.
    "#]]);
    check(&["man", "expln"], expect![[r#"
        exit code 2
        error: there is no command `expln`
         |
         | expln
         | ^^^^^
         |
         = help: the commands are explain, draw, diff, hlo, convert, completions, man and help
    "#]]);
}
