//! The table of opcodes: the properties of operations that the analyses need.

use std::sync::LazyLock;

use hashbrown::HashMap;

/// A property of an operation.
#[derive(Clone, Copy)]
pub(crate) enum Flag {
    /// Each element of the result is computed from the elements of the operands at the same index.
    Elementwise,
    /// It takes no time or only moves data.
    Free,
    /// It passes its operands on, in whatever layout they have.
    Passes,
    /// Its operands do not affect the layout of its result.
    Source,
}

/// Source of the first row: XLA's `HloInstruction::IsElementwise`.
const TABLE: [(Flag, &str); 4] = [
    (
        Flag::Elementwise,
        "abs acos acosh add and asin asinh atan2 atanh bitcast-convert cbrt ceil clamp compare complex convert copy cosh cosine \
         count-leading-zeros divide erf exponential exponential-minus-one floor imag is-finite log log-plus-one logistic map maximum minimum \
         multiply negate not or popcnt power real reduce-precision remainder round-nearest-afz round-nearest-even rsqrt select shift-left \
         shift-right-arithmetic shift-right-logical sign sine sinh sqrt stochastic-convert subtract tan tanh xor",
    ),
    (
        Flag::Free,
        "parameter constant tuple get-tuple-element bitcast after-all partition-id replica-id opt-barrier copy",
    ),
    (
        Flag::Passes,
        "bitcast copy-start copy-done slice-start slice-done get-tuple-element tuple fusion call transpose reshape opt-barrier optimization-barrier",
    ),
    (
        Flag::Source,
        "constant iota after-all partition-id replica-id rng rng-bit-generator rng-get-and-update-state parameter",
    ),
];

/// The flags of each opcode, one bit each.
static FLAGS: LazyLock<HashMap<&str, u8>> = LazyLock::new(|| {
    let mut flags = HashMap::new();
    for (flag, opcodes) in TABLE {
        for opcode in opcodes.split_ascii_whitespace() {
            *flags.entry(opcode).or_default() |= 1 << flag as u8;
        }
    }
    flags
});

/// Whether an operation has this property.
pub(crate) fn has(opcode: &str, flag: Flag) -> bool {
    FLAGS
        .get(opcode)
        .is_some_and(|flags| flags >> flag as u8 & 1 == 1)
}

/// The operation that an asynchronous one starts, continues or ends: `slice` for `slice-start`.
/// Returns any other operation unchanged.
pub(crate) fn whole(opcode: &str) -> &str {
    let parts = ["-start", "-update", "-done"];
    let whole = parts.iter().find_map(|part| opcode.strip_suffix(part));
    whole.unwrap_or(opcode)
}

/// Whether an operation has no memory of its own, but that of its operands or of a caller.
pub(crate) fn is_view(operation: &str, in_entry: bool) -> bool {
    match operation {
        "parameter" => !in_entry,
        // Called for every instruction of a text: a search in the table took 6% of the time.
        "tuple"
        | "get-tuple-element"
        | "bitcast"
        | "while"
        | "conditional"
        | "call"
        | "opt-barrier"
        | "optimization-barrier"
        | "add-dependency"
        | "domain"
        | "after-all" => true,
        _ => operation.ends_with("-done") || operation.ends_with("-update"),
    }
}
