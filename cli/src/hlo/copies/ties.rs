//! Which values take over the layout of each other, and through which operations.
//!
//! An operation that computes element by element, or that only passes data on, has no layout of its own: the layout
//! of its operand decides about that of its result, and the other way round. Such a pair is a [`Tie`]. An operation
//! without ties fixes layouts: a convolution, a sort, a custom call, a loop.

use super::context::{Context, Value};

/// Two values of which one takes over the layout of the other.
#[derive(Clone, Debug)]
pub(super) struct Tie {
    pub(super) operand: Value,
    pub(super) result: Value,
    pub(super) relation: Relation,
}

/// Which dimensions of the operand are which of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// Each the one of the same number.
    Same,
    /// Groups of dimensions that are the same elements, the most major first; dimensions of size 1 may be in none.
    Groups(Vec<(Vec<usize>, Vec<usize>)>),
}

/// The dimensions, the most major first.
pub(super) type Order = Vec<usize>;

/// Which side is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Operand,
    Result,
}

impl Relation {
    /// The order of one side that the order of the other one gives; none if its groups are torn apart.
    ///
    /// `sizes` are those of the side that is asked for. With `tiles` the two most minor dimensions, which tiles cut,
    /// cannot be a part of a group of several.
    pub(super) fn carry(
        &self,
        order: &[usize],
        from: From,
        sizes: &[i64],
        tiled: bool,
    ) -> Option<Order> {
        let groups = match self {
            Self::Same => return (order.len() == sizes.len()).then(|| order.to_vec()),
            Self::Groups(groups) => groups,
        };
        let sides = groups.iter().map(|(operand, result)| match from {
            From::Operand => (operand, result),
            From::Result => (result, operand),
        });
        let sides: Vec<_> = sides.collect();
        let mut carried = Vec::new();
        let mut at = 0;
        // Where in `carried` the last group of several dimensions ends, and where it ends in `order`.
        let mut several = None;
        while at < order.len() {
            let dim = order[at];
            let Some((known, asked)) = sides.iter().find(|(known, _)| known.contains(&dim)) else {
                // Of size 1, or one that the other side does not have.
                at += 1;
                continue;
            };
            if order.get(at..at + known.len())? != known.as_slice() {
                return None;
            }
            at += known.len();
            carried.extend_from_slice(asked);
            if known.len() > 1 || asked.len() > 1 {
                several = Some((at, carried.len()));
            }
        }
        if let (true, Some((in_order, in_carried))) = (tiled, several)
            && (order.len() - in_order < 2 || carried.len() - in_carried < 2)
        {
            return None;
        }
        // Dimensions of size 1 lie anywhere: they become the most major ones.
        let rest = (0..sizes.len()).filter(|dim| !carried.contains(dim));
        let rest: Vec<_> = rest.collect();
        if rest.iter().any(|&dim| sizes[dim] != 1) {
            return None;
        }
        Some(rest.into_iter().chain(carried).collect())
    }
}

/// The groups of dimensions of two lists whose products of sizes are equal; none if the elements are not the same.
pub(super) fn groups(
    a: &[usize],
    a_sizes: &[i64],
    b: &[usize],
    b_sizes: &[i64],
) -> Option<Relation> {
    let without_ones = |list: &[usize], sizes: &[i64]| -> Vec<usize> {
        list.iter()
            .copied()
            .filter(|&dim| sizes[dim] != 1)
            .collect()
    };
    let (a, b) = (without_ones(a, a_sizes), without_ones(b, b_sizes));
    let (mut i, mut j) = (0, 0);
    let mut groups = Vec::new();
    while i < a.len() && j < b.len() {
        let (mut left, mut right) = (vec![a[i]], vec![b[j]]);
        let (mut x, mut y) = (i128::from(a_sizes[a[i]]), i128::from(b_sizes[b[j]]));
        (i, j) = (i + 1, j + 1);
        while x != y {
            if x < y {
                x = x.checked_mul(i128::from(a_sizes[*a.get(i)?]))?;
                left.push(a[i]);
                i += 1;
            } else {
                y = y.checked_mul(i128::from(b_sizes[*b.get(j)?]))?;
                right.push(b[j]);
                j += 1;
            }
            // A dimension without elements never comes to an end.
            if x == 0 || y == 0 {
                return None;
            }
        }
        groups.push((left, right));
    }
    (i == a.len() && j == b.len()).then_some(Relation::Groups(groups))
}

/// The sizes of an array's dimensions.
pub(super) fn sizes(context: &Context<'_>, value: Value) -> Option<Vec<i64>> {
    let shape = context.value_shape(value)?;
    shape.dims.iter().map(|dim| dim.bound()).collect()
}

/// The present order of a value's dimensions, the most major first.
pub(super) fn order(context: &Context<'_>, value: Value) -> Option<Order> {
    let shape = context.value_shape(value)?;
    let layout = shape.layout.as_ref()?;
    let order = layout.minor_to_major.iter().rev();
    order.map(|&dim| usize::try_from(dim).ok()).collect()
}

/// The ties of an instruction; `None` if it fixes layouts.
pub(super) fn ties(context: &Context<'_>, at: Value) -> Option<Vec<Tie>> {
    let at = Value { item: None, ..at };
    let module = context.module;
    let instruction = context.instruction(at);
    let opcode = module.opcode(instruction);
    let operands = || {
        let operands = instruction.operands.iter();
        operands.map(|&operand| Value::new(at.computation, operand))
    };
    let same = |operand, result| Tie {
        operand,
        result,
        relation: Relation::Same,
    };
    let grouped = |operand, result, relation: Option<Relation>| {
        let relation = relation?;
        Some(vec![Tie {
            operand,
            result,
            relation,
        }])
    };
    let first = operands().next();
    // Of each item by itself, if these are tuples.
    let items = |a: Value, b: Value| -> Vec<Tie> {
        match module.shapes.items(context.shape(a)).len() as u32 {
            0 => vec![same(a, b)],
            items => (0..items)
                .map(|item| same(a.of_item(item), b.of_item(item)))
                .collect(),
        }
    };
    Some(match opcode {
        "constant"
        | "iota"
        | "after-all"
        | "partition-id"
        | "replica-id"
        | "rng"
        | "rng-bit-generator"
        | "rng-get-and-update-state" => Vec::new(),
        "parameter" => Vec::new(),
        "get-tuple-element" => {
            let item = module.index(instruction)?;
            vec![same(first?.of_item(item), at)]
        }
        "tuple" => {
            let operands = operands().enumerate();
            operands
                .map(|(k, operand)| same(operand, at.of_item(k as u32)))
                .collect()
        }
        "copy-start" => vec![same(first?, at.of_item(0))],
        "copy-done" => vec![same(first?.of_item(0), at)],
        "slice-start" => vec![same(first?, at.of_item(1))],
        "slice-done" => vec![same(first?.of_item(1), at)],
        "fusion" | "call" => {
            let role = if opcode == "fusion" {
                "calls"
            } else {
                "to_apply"
            };
            let body = module.called(instruction, role)?;
            let root = Value::new(body, context.computation(body).root);
            let mut all = items(root, at);
            for (k, operand) in operands().enumerate() {
                let parameter = context.parameter(body, k as u32)?;
                all.extend(items(operand, parameter));
            }
            all
        }
        "conditional" => {
            let mut all = Vec::new();
            for (k, &(_, branch)) in instruction.called.iter().enumerate() {
                let root = Value::new(branch, context.computation(branch).root);
                all.extend(items(root, at));
                let parameter = context.parameter(branch, 0)?;
                all.extend(items(operands().nth(k + 1)?, parameter));
            }
            all
        }
        "optimization-barrier" | "opt-barrier" => items(first?, at),
        "custom-call" => match module
            .attribute(instruction, "custom_call_target")?
            .trim_matches('"')
        {
            "ConcatBitcast" => operands().map(|operand| same(operand, at)).collect(),
            "AllocateBuffer" => Vec::new(),
            // Values and indices lie as the operand does.
            "TopK" => {
                let results = module.shapes.items(instruction.shape).len() as u32;
                let first = first?;
                (0..results)
                    .map(|item| same(first, at.of_item(item)))
                    .collect()
            }
            _ => return None,
        },
        "slice" | "dynamic-slice" | "reverse" | "copy" | "pad" | "all-reduce"
        | "bitcast-convert" | "reduce-precision" => {
            let (from, to) = (context.value_shape(first?)?, context.value_shape(at)?);
            match from.dims.len() == to.dims.len() {
                true => vec![same(first?, at)],
                false => return None,
            }
        }
        "dynamic-update-slice" => {
            let mut operands = operands();
            let (whole, part) = (operands.next()?, operands.next()?);
            vec![same(whole, at), same(part, at)]
        }
        "transpose" => {
            let mapping = module.numbers(instruction, "dimensions")?;
            let pairs = mapping.iter().enumerate();
            let groups =
                pairs.map(|(to, &from)| Some((vec![usize::try_from(from).ok()?], vec![to])));
            let groups = groups.collect::<Option<Vec<_>>>()?;
            return grouped(first?, at, Some(Relation::Groups(groups)));
        }
        "broadcast" => {
            let mapping = module.numbers(instruction, "dimensions")?;
            let pairs = mapping.iter().enumerate();
            let groups =
                pairs.map(|(from, &to)| Some((vec![from], vec![usize::try_from(to).ok()?])));
            let groups = groups.collect::<Option<Vec<_>>>()?;
            return grouped(first?, at, Some(Relation::Groups(groups)));
        }
        "reduce" => {
            let removed = module.numbers(instruction, "dimensions")?;
            let rank = i64::try_from(context.value_shape(first?)?.dims.len()).ok()?;
            let kept = (0..rank).filter(|dim| !removed.contains(dim)).enumerate();
            let groups = kept.map(|(to, from)| (vec![from as usize], vec![to]));
            // Several arrays may be reduced at once.
            context.array(at)?;
            let groups = Relation::Groups(groups.collect());
            return grouped(first?, at, Some(groups));
        }
        "reshape" => {
            let (a, b) = (sizes(context, first?)?, sizes(context, at)?);
            let rows = |sizes: &[i64]| (0..sizes.len()).collect::<Vec<_>>();
            return grouped(first?, at, groups(&rows(&a), &a, &rows(&b), &b));
        }
        "bitcast" => {
            let (a, b) = (sizes(context, first?)?, sizes(context, at)?);
            let (left, right) = (order(context, first?)?, order(context, at)?);
            return grouped(first?, at, groups(&left, &a, &right, &b));
        }
        _ if is_elementwise(opcode) || opcode == "concatenate" => {
            let to = context.value_shape(at)?;
            operands()
                .filter(|&operand| {
                    let from = context.value_shape(operand);
                    from.is_some_and(|from| from.dims.len() == to.dims.len())
                })
                .map(|operand| same(operand, at))
                .collect()
        }
        _ => return None,
    })
}

/// Whether each element of the result is computed of the elements of the same index.
fn is_elementwise(opcode: &str) -> bool {
    matches!(
        opcode,
        "abs"
            | "add"
            | "and"
            | "atan2"
            | "cbrt"
            | "ceil"
            | "clamp"
            | "compare"
            | "complex"
            | "convert"
            | "cosine"
            | "divide"
            | "erf"
            | "exponential"
            | "exponential-minus-one"
            | "floor"
            | "imag"
            | "is-finite"
            | "log"
            | "log-plus-one"
            | "logistic"
            | "maximum"
            | "minimum"
            | "multiply"
            | "negate"
            | "not"
            | "or"
            | "population-count"
            | "power"
            | "real"
            | "remainder"
            | "round-nearest-afz"
            | "round-nearest-even"
            | "rsqrt"
            | "select"
            | "shift-left"
            | "shift-right-arithmetic"
            | "shift-right-logical"
            | "sign"
            | "sine"
            | "sqrt"
            | "stochastic-convert"
            | "subtract"
            | "tan"
            | "tanh"
            | "xor"
            | "count-leading-zeros"
    )
}

/// The instructions that use a value or give it: users, its own, and the callers around its computation.
pub(super) fn around(context: &Context<'_>, value: Value) -> Vec<Value> {
    let own = Value {
        item: None,
        ..value
    };
    let mut all = vec![own];
    all.extend(context.users(own));
    let is_border = context.opcode(own) == "parameter" || context.is_root(own);
    if is_border && !context.is_entry(value.computation) {
        let callers = context.callers[value.computation as usize].iter();
        all.extend(callers.map(|&(computation, instruction)| Value::new(computation, instruction)));
    }
    all
}
