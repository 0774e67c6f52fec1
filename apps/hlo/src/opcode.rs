//! Opcodes: what instructions do, and the properties of operations that the analyses need.

use std::sync::LazyLock;

use hashbrown::HashMap;

/// A property of an operation.
#[derive(Clone, Copy, PartialEq)]
enum Flag {
    Elementwise,
    Free,
    Passes,
    Source,
    View,
}

/// Declares [`Opcode`], with the names in the text and the [flags](Flag) of each operation.
macro_rules! opcodes {
    ($([$($flag:ident)*] $($variant:ident = $($text:literal)|+),+;)+) => {
        /// What an instruction does: the operations of XLA's `hlo_opcode.h`.
        ///
        /// In XLA's text, an asynchronous operation has the name of the operation that it runs:
        /// `slice-start`, `slice-done`. Therefore all asynchronous ones are [`Start`](Self::Start),
        /// [`Update`](Self::Update) or [`Done`](Self::Done) of another operation.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Opcode {
            /// The instruction could not be read.
            #[default]
            Unread,
            /// An operation of another version of XLA. The module has its name:
            /// [`Module::opcode_text`](crate::Module::opcode_text).
            Unknown,
            /// Begins an operation: `copy-start`.
            Start(&'static Opcode),
            /// Continues an operation: `async-update`.
            Update(&'static Opcode),
            /// Ends an operation: `copy-done`.
            Done(&'static Opcode),
            $($(#[doc = concat!($("`", $text, "` ",)+)] $variant,)+)+
        }

        /// The opcodes, by their names in a text.
        static NAMES: LazyLock<HashMap<&str, &'static Opcode>> = LazyLock::new(|| {
            HashMap::from_iter([$($($(($text, &Opcode::$variant),)+)+)+])
        });

        impl Opcode {
            const fn flags(self) -> &'static [Flag] {
                match self {
                    $($(Self::$variant)|+ => &[$(Flag::$flag),*],)+
                    _ => &[],
                }
            }
        }
    };
}

opcodes! {
    // Source: XLA's `HloInstruction::IsElementwise`; `copy` is below.
    [Elementwise]
        Abs = "abs", Acos = "acos", Acosh = "acosh", Add = "add", And = "and", Asin = "asin",
        Asinh = "asinh", Atan2 = "atan2", Atanh = "atanh", BitcastConvert = "bitcast-convert",
        Cbrt = "cbrt", Ceil = "ceil", Clamp = "clamp", Clz = "count-leading-zeros",
        Compare = "compare", Complex = "complex", Convert = "convert", Cos = "cosine",
        Cosh = "cosh", Divide = "divide", Erf = "erf", Exp = "exponential",
        Expm1 = "exponential-minus-one", Floor = "floor", Imag = "imag", IsFinite = "is-finite",
        Log = "log", Log1p = "log-plus-one", Logistic = "logistic", Map = "map",
        Maximum = "maximum", Minimum = "minimum", Multiply = "multiply", Negate = "negate",
        Not = "not", Or = "or", PopulationCount = "popcnt", Power = "power", Real = "real",
        ReducePrecision = "reduce-precision", Remainder = "remainder",
        RoundNearestAfz = "round-nearest-afz", RoundNearestEven = "round-nearest-even",
        Rsqrt = "rsqrt", Select = "select", ShiftLeft = "shift-left",
        ShiftRightArithmetic = "shift-right-arithmetic",
        ShiftRightLogical = "shift-right-logical", Sign = "sign", Sin = "sine", Sinh = "sinh",
        Sqrt = "sqrt", StochasticConvert = "stochastic-convert", Subtract = "subtract",
        Tan = "tan", Tanh = "tanh", Xor = "xor";
    [Elementwise Free]
        Copy = "copy";
    [Free Source]
        Constant = "constant", Parameter = "parameter", PartitionId = "partition-id",
        ReplicaId = "replica-id";
    [Free Source View]
        AfterAll = "after-all";
    [Free Passes View]
        Bitcast = "bitcast", GetTupleElement = "get-tuple-element",
        OptimizationBarrier = "opt-barrier" | "optimization-barrier", Tuple = "tuple";
    [Passes]
        Async = "async", Fusion = "fusion", Reshape = "reshape", Transpose = "transpose";
    [Passes View]
        Call = "call";
    [Source]
        Iota = "iota", Rng = "rng", RngBitGenerator = "rng-bit-generator",
        RngGetAndUpdateState = "rng-get-and-update-state";
    [View]
        AddDependency = "add-dependency", Conditional = "conditional", Domain = "domain",
        While = "while";
    []
        AllGather = "all-gather", AllReduce = "all-reduce", AllToAll = "all-to-all",
        BatchNormGrad = "batch-norm-grad", BatchNormInference = "batch-norm-inference",
        BatchNormTraining = "batch-norm-training", Broadcast = "broadcast",
        Cholesky = "cholesky", CollectiveBroadcast = "collective-broadcast",
        CollectivePermute = "collective-permute", Concatenate = "concatenate",
        Convolution = "convolution", CustomCall = "custom-call", Dot = "dot",
        DynamicReshape = "dynamic-reshape", DynamicSlice = "dynamic-slice",
        DynamicUpdateSlice = "dynamic-update-slice", Fft = "fft", Gather = "gather",
        GetDimensionSize = "get-dimension-size", Infeed = "infeed", Outfeed = "outfeed",
        Pad = "pad", RaggedAllToAll = "ragged-all-to-all", RaggedDot = "ragged-dot",
        Recv = "recv", Reduce = "reduce", ReduceScatter = "reduce-scatter",
        ReduceWindow = "reduce-window", Reverse = "reverse", ScaledDot = "scaled-dot",
        Scan = "scan", Scatter = "scatter", SelectAndScatter = "select-and-scatter",
        Send = "send", SetDimensionSize = "set-dimension-size", Slice = "slice", Sort = "sort",
        TopK = "topk" | "top-k", TriangularSolve = "triangular-solve";
}

impl From<&str> for Opcode {
    /// The opcode with this name.
    fn from(text: &str) -> Self {
        if text.is_empty() {
            return Self::Unread;
        }
        let named = |name: &str| NAMES.get(name).copied();
        let part = |end: &str, part: fn(&'static Self) -> Self| {
            Some(part(
                named(text.strip_suffix(end)?).unwrap_or(&Self::Unknown),
            ))
        };
        named(text)
            .copied()
            .or_else(|| part("-start", Self::Start))
            .or_else(|| part("-update", Self::Update))
            .or_else(|| part("-done", Self::Done))
            .unwrap_or(Self::Unknown)
    }
}

impl Opcode {
    fn has(self, flag: Flag) -> bool {
        self.flags().contains(&flag)
    }

    /// Whether each element of the result is computed from the elements of the operands at the same
    /// index.
    pub(crate) fn is_elementwise(self) -> bool {
        self.has(Flag::Elementwise)
    }

    /// Whether it passes its operands on, in whatever layout they have.
    pub(crate) fn passes_on(self) -> bool {
        match self {
            Self::Start(whole) | Self::Done(whole) => matches!(whole, Self::Copy | Self::Slice),
            _ => self.has(Flag::Passes),
        }
    }

    /// Whether the layout of its result does not depend on its operands.
    pub(crate) fn is_source(self) -> bool {
        self.has(Flag::Source)
    }

    /// Whether it takes time to compute, and is no part of an asynchronous operation.
    pub(crate) fn computes(self) -> bool {
        self != Self::Unread && self == self.whole() && !self.has(Flag::Free)
    }

    /// Whether it has no memory of its own, but that of its operands or of a caller.
    pub(crate) fn is_view(self, in_entry: bool) -> bool {
        match self {
            Self::Parameter => !in_entry,
            Self::Done(_) | Self::Update(_) => true,
            _ => self.has(Flag::View),
        }
    }

    /// Whether it gives the array of its operand in another layout: a copy or a transpose.
    pub(crate) fn moves_array(self) -> bool {
        matches!(self, Self::Copy | Self::Transpose)
    }

    /// Whether its parentheses hold no operands: a number, a value or nothing.
    pub(crate) fn has_no_operands(self) -> bool {
        matches!(self, Self::Parameter | Self::Constant | Self::Iota)
    }

    /// Whether it takes a part of an array, which begins at fixed or at computed indices.
    pub(crate) fn is_slice(self) -> bool {
        matches!(self, Self::Slice | Self::DynamicSlice)
    }

    /// Whether it moves elements by cutting, joining or reversing arrays.
    pub(crate) fn rearranges(self) -> bool {
        self.is_slice() || matches!(self, Self::Concatenate | Self::Reverse)
    }

    /// Whether it multiplies matrices.
    pub(crate) fn is_product(self) -> bool {
        matches!(self, Self::Convolution | Self::Dot)
    }

    /// The operation that an asynchronous one starts: `slice` for `slice-start`. Any other
    /// operation is returned as it is.
    pub(crate) fn begun(self) -> Self {
        match self {
            Self::Start(whole) => *whole,
            _ => self,
        }
    }

    /// The operation that an asynchronous one starts, continues or ends. Any other operation is
    /// returned as it is.
    pub(crate) fn whole(self) -> Self {
        match self {
            Self::Start(whole) | Self::Update(whole) | Self::Done(whole) => *whole,
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_asynchronous_operations_and_other_names() {
        for (name, opcode) in [
            ("", Opcode::Unread),
            ("dynamic-update-slice", Opcode::DynamicUpdateSlice),
            ("top-k", Opcode::TopK),
            ("copy-start", Opcode::Start(&Opcode::Copy)),
            ("async-update", Opcode::Update(&Opcode::Async)),
            ("all-reduce-done", Opcode::Done(&Opcode::AllReduce)),
            ("new", Opcode::Unknown),
            ("new-done", Opcode::Done(&Opcode::Unknown)),
            ("Copy", Opcode::Unknown),
        ] {
            assert_eq!(Opcode::from(name), opcode, "{name}");
        }
    }

    #[test]
    fn properties_are_those_of_the_operation_itself() {
        let [copy, start, done] = ["copy", "copy-start", "copy-done"].map(Opcode::from);
        assert!(copy.is_elementwise() && !start.is_elementwise());
        assert!(!copy.passes_on() && start.passes_on() && done.passes_on());
        assert!(!copy.is_view(true) && !start.is_view(true) && done.is_view(true));
        let parameter = Opcode::Parameter;
        assert!(parameter.is_view(false) && !parameter.is_view(true));
        for (name, computes) in [
            ("add", true),
            ("new", true),
            ("add-start", false),
            ("", false),
        ] {
            assert_eq!(Opcode::from(name).computes(), computes, "{name}");
        }
    }
}
