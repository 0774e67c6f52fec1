//! What the macros can find wrong, and the words for it: one row for each kind of mistake.
//!
//! What is wrong with the text of a layout or of a sharding is said by the crate that reads it, for
//! texts at run time, too: `shape/src/error/kind.rs` and `sharding/src/error.rs`. What follows from
//! the shape of the tokens alone is said by the arms of `index!` in `src/lib.rs`.

use core::fmt::Display;

use xlayout_shape::dims::MAX_NAME_LETTERS;

use super::{Mistake, TokenRange};

/// A row has a name, the message and the help. It becomes a function of a place, and of what the
/// texts name.
macro_rules! mistakes {
    ($(
        $(#[$of_row:meta])*
        $name:ident $(($($field:ident),*))? $message:literal $help:literal
    )*) => {
        $(
            $(#[$of_row])*
            pub(crate) fn $name(place: TokenRange, $($($field: &dyn Display),*)?) -> Mistake {
                Mistake::new(place, format_args!($message), format_args!($help))
            }
        )*
    };
}

/// What the macro says after the options that a text has.
pub(crate) const OTHER_OPTION: &str = ", in `layout!` also `sharding`";

const RUN_TIME: &str = "write `?` for a size that is known at run time only";
const TYPENUM: &str = "turn it on in Cargo.toml: `xlayout = { …, features = [\"typenum\"] }`";
const OWN_NAME: &str = "write `?`, or `?M` with a name of its own; a sum of such sizes and numbers \
                        may be computed: `2*?H`, `?H - ?K + 1`";
const SHARDING: &str = "write it behind the layout: `, sharding = {devices=[2,4]<=[8]}`";
const ARMS: &str = "write `specialize!(x, { f32[?,3]{1,0} => fast(x), _ => general(x) })`";

// What else to say of an expression that may have a parameter of the item around it in it: the
// macro cannot tell one from a constant, and Rust refuses it in braces.
pub(crate) const OF_PARAMETERS: &str = "; Rust computes with constants there, not with generic \
    parameters: for those write a number of typenum, `type Prod<N, U2>`, or `?`";
pub(crate) const OF_PARAMETERS_IN_BOUND: &str =
    "; Rust computes with constants there, not with generic parameters: for those write `?`";

mistakes! {
    // The layout as a whole.
    array_of_rust
        "this is an array type of Rust, not a layout"
        "write the element type, then all dimensions in one list: `f32[2,3]`"

    too_many(most, what, count)
        "`layout!` takes up to {most} {what}, found {count}"
        "read the layout at run time: a `DynLayout` holds any number"

    // Sizes.
    no_comma_between(left, right)
        "there is no comma between `{left}` and `{right}`"
        "write `{left}, {right}`"

    empty_braces
        "there is no size between these braces"
        "write an expression between the braces: `{{ N * 2 }}`"

    no_type
        "there is no type after `type`"
        "write one of typenum's numbers after it: `type N`, where `N: Unsigned`"

    bound_is_type(number)
        "a bound is a constant, and this is a type"
        "write `<={{ <{number} as Unsigned>::USIZE }}`"

    type_without_typenum
        "a size that is a type needs the feature `typenum` of xlayout"
        "{TYPENUM}"

    number_without_typenum(name)
        "`{name}` is a number of typenum, which needs the feature `typenum` of xlayout"
        "{TYPENUM}; if it is a constant, write `{{ {name} }}`"

    no_size(written)
        "`{written}` is no size"
        "{RUN_TIME}, `<=8` where it is at most 8"

    variable(name)
        "`{name}` is the name of a variable, and no size"
        "{RUN_TIME}: `layout!(f32[?,3])` is a function of all sizes, `layout!(f32[?,3])([n, 3])?`, \
         and an arm of `specialize!` asks its layout for them; a constant of that name is \
         `{{ {name} }}`"

    inferred
        "`_` is no size: a layout cannot leave a size to be inferred"
        "write a number, the name of a constant, or `?` for a size that is known at run time only"

    mark_behind_name(name)
        "`?` must come before the name"
        "write `?{name}`"

    named_dimension(name, size)
        "dimensions have no names, and this one is called `{name}`"
        "write the size alone: `{size}`"

    number_as_type(written, sign, number)
        "`{written}` is a type, and a size is a number"
        "write the number: `{sign}{number}`"

    type_as_size(written)
        "`{written}` is a type, and a size is a number"
        "write a number; a number of typenum has `type` before it: `type U8`"

    times(written, first, rest)
        "`{written}` is not one number"
        "separate dimensions with a comma: `{first}, {rest}`"

    declared_in_size(name)
        "`{name}` cannot be declared here"
        "write `{name}` alone; the item around the layout declares it"

    range(written)
        "`{written}` is a range, and a size is one number"
        "write how many elements the dimension has"

    expression(written, sign, note)
        "`{written}` is an expression, not a number or a name"
        "wrap it in braces: `{sign}{{ {written} }}`{note}"

    long_expression(sign, note)
        "a size is a number or a name, and this is an expression"
        "wrap it in braces: `{sign}{{ … }}`{note}"

    // Names of sizes that are known at run time only, and sums of them.
    word_as_name(word)
        "`{word}` is a word of Rust's, and no name"
        "write another: `?M`"

    long_name(letters)
        "the name of a size has {letters} letters"
        "write one of {MAX_NAME_LETTERS} letters at most"

    long_sum(written, letters)
        "`{written}` has {letters} letters without `?`"
        "write shorter names: {MAX_NAME_LETTERS} letters in all at most"

    name_is_path(written)
        "`{written}` is a path, and the name of such a size is one word"
        "{OWN_NAME}"

    not_a_sum(written)
        "`{written}` computes with a size that is known at run time only"
        "{OWN_NAME}"

    name_is_group
        "the name of such a size is one word"
        "{OWN_NAME}"

    text_after_name(name, behind)
        "expected `,` or `]` after `?{name}`, found `{behind}`"
        "separate dimensions with commas"

    // The option `sharding`.
    no_comma_before_sharding
        "there is no comma before `sharding`"
        "{SHARDING}"

    sharding_twice
        "`sharding` is given twice"
        "keep one of them"

    no_equals
        "no `=` follows `sharding`"
        "{SHARDING}"

    text_after_sharding
        "unexpected text after the sharding"
        "remove it, or write a comma before another option"

    sharding_is_nothing
        "`sharding` is given nothing"
        "{SHARDING}"

    quoted_sharding
        "a sharding is written as it is, without quotes"
        "{SHARDING}"

    sharding_without_braces
        "a sharding is written in braces"
        "{SHARDING}"

    #[cfg(not(feature = "sharding"))]
    without_sharding
        "a sharding in `layout!` needs the feature `sharding` of xlayout"
        "turn it on in Cargo.toml: `xlayout = {{ …, features = [\"sharding\"] }}`"

    // Declarations.
    no_name
        "the declaration has no name"
        "write a name after `type`: `type A = f32[2,3]{{1,0}};`"

    no_layout(name)
        "`{name}` is declared without a layout"
        "write `type {name} = f32[2,3]{{1,0}};`"

    expected_equals(name, found)
        "expected `=` and a layout, found `{found}`"
        "write `type {name} = f32[2,3]{{1,0}};`"

    no_semicolon(name, layout)
        "no `;` ends the declaration of `{name}`"
        "write `type {name} = {layout};`"

    no_declaration
        "a declaration is missing after this"
        "write `type A = f32[2,3]{{1,0}};`"

    expected_type_before(name, layout)
        "expected `type` before `{name}`"
        "write `type {name} = {layout};`"

    constant(keyword, name, layout)
        "expected `type`, found `{keyword}`"
        "write `type {name} = {layout};`: it is a constant of that name, too"

    expected_type(keyword)
        "expected `type`, found `{keyword}`"
        "`layout!` declares types, each with a constant of the same name: \
         `type A = f32[2,3]{{1,0}};`"

    // `specialize!`.
    no_arms
        "there are no arms here"
        "{ARMS}"

    arms_without_braces
        "the arms must be in braces"
        "{ARMS}"

    nothing_to_specialize
        "there is nothing to specialize"
        "{ARMS}"

    no_comma_before_arms
        "there is no comma before the arms"
        "{ARMS}"

    no_value(name)
        "`{name}` is given no value"
        "{ARMS}"

    no_name_for_value(value)
        "the arms need a name for what they are given"
        "give it one: `specialize!(x = {value}, {{ … }})`"

    no_arrow
        "this arm has no `=>`"
        "write `=>` and an expression after the layout"

    empty_arm
        "this arm does nothing"
        "write an expression after `=>`, or `{{}}`"

    arm_without_layout
        "a layout is missing before `=>`"
        "write one, or `_` for all that are not listed"

    no_comma_before_arm
        "this arm has no comma before it"
        "write `,` after the expression of the arm before it"

    semicolon_after_arm
        "an arm does not end with `;`"
        "write `,` instead"

    condition
        "an arm has no condition"
        "ask in the arm's body: a layout either fits or does not"

    rest_beside_others
        "`_` takes every layout, and leaves the others beside it nothing"
        "write `_` alone, in the last arm"

    rest_before_others
        "the arms after `_` are never tried"
        "write this arm last"

    rest_with_more
        "`_` matches every layout"
        "write `_` alone"

    named_rest(written)
        "the arm for all other layouts is `_`"
        "write `_` in the place of `{written}`"

    macro_in_arm(inside)
        "`layout!` has no place in an arm"
        "write the layout alone: `{inside}`"

    sharding_in_arm
        "no layout of a buffer has a sharding"
        "leave the sharding out: an arm takes the layout of one buffer"

    taken_before(earlier)
        "`{earlier}` before it takes every layout that this one takes"
        "write this one before it, or leave it out"

    same_as_before(earlier)
        "`{earlier}` before it takes every layout that this one takes"
        "leave this one out"

    no_rest(name)
        "no arm takes the layouts that are not listed"
        "end with an arm for all others: `_ => general({name})`"

    // `index!`.
    index_of_value(name, coordinates)
        "an index belongs to the type of a layout, and `{name}` is a value"
        "write the type: `index!(A{coordinates})`; a view is read at coordinates with \
         `{name}[{coordinates}]`"

    variable_in_index(name, coordinates)
        "the compiler makes the index, and `{name}` is a variable"
        "read an array at coordinates: `array[{coordinates}]`"
}

// What is wrong with a sharding that was read.
#[cfg(feature = "sharding")]
mistakes! {
    empty_sharding
        "there is no sharding in the braces"
        "write one such as `{{devices=[2,4]<=[8]}}` or `{{replicated}}`"

    tuple_of_shardings
        "a tuple of shardings is for a tuple of arrays, and this is one array"
        "write one of them, without the outer braces"

    shard_group
        "a shard group says what the values of a program have in common, and a layout is of one \
         value"
        "leave `shard_as` or `shard_like` out"

    too_many_devices(most)
        "`layout!` lists up to {most} devices"
        "write a rule, such as `<=[4,1024]T(1,0)`, or read the sharding at run time"

    no_layout_per_device(held, why)
        "each device would hold `{held}`, which is no layout: {why}"
        "cut another dimension, or into other parts"

    run_time_size_is_cut(dim, parts)
        "dimension {dim} is cut into {parts} parts, but its size is known at run time only"
        "write a number or a bound, `<=8`; or cut another dimension"

    constant_is_cut(dim, parts)
        "dimension {dim} is cut into {parts} parts, but its size is no number"
        "write the number: Rust computes no type from a constant's quotient; constants are \
         allowed in dimensions that are not divided"
}
