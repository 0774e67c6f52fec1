//! Functions as text. What languages have in common is here, what they differ in is in `languages`.
//!
//! ```text
//! body(function):
//!     expressions that are used twice or more, and are no leaves, get a name: t0, t1, …, operands first
//!     print each of them, and then the results, with parentheses where the operator around binds as strongly
//! ```

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::error::EmitError;
use crate::expression::{Expressions, Id, Node};
use crate::functions::{Function, Functions};
use crate::languages::{FunctionText, Language, Operators, Syntax};

/// What is written, and how.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    pub(crate) language: Language,
    pub(crate) bits: u32,
    pub(crate) name: &'a str,
}

impl<'a> Options<'a> {
    /// Functions `linear_index` and `multi_index`, with the numbers that the language's programs use most.
    #[must_use]
    pub const fn new(language: Language) -> Self {
        Self {
            language,
            bits: language.default_bits(),
            name: "",
        }
    }

    /// Numbers of 32 bits, or of 64. Python and MLIR have integers that have no width.
    #[must_use]
    pub const fn wide(mut self, wide: bool) -> Self {
        self.bits = if wide { 64 } else { 32 };
        self
    }

    /// Functions `name_linear_index` and `name_multi_index`.
    #[must_use]
    pub const fn named(mut self, name: &'a str) -> Self {
        self.name = name;
        self
    }
}

impl Functions {
    /// The two functions as text, with the layout in a comment.
    ///
    /// # Errors
    /// If a number may need more bits than the language's numbers have, or if the name is no identifier.
    pub fn emit(&self, options: &Options<'_>) -> Result<String, EmitError> {
        let Options {
            language,
            bits,
            name,
        } = *options;
        if !is_identifier(name) {
            return Err(EmitError::Name { name: name.into() });
        }
        if bits > 32 && language == Language::Wgsl {
            return Err(EmitError::NoSuchNumbers { language });
        }
        let syntax = language.syntax();
        let (linear_index, multi_index) = match &self.arithmetic {
            Some((linear_index, multi_index)) if syntax.operators == Operators::Affine => {
                (linear_index, multi_index)
            }
            _ => (&self.linear_index, &self.multi_index),
        };
        let fits = |function: &Function| {
            let used = function.expressions.uses(&function.results);
            let needed = function.expressions.select(|id, _| used[id] > 0);
            let mut largest = needed.iter().map(|&id| function.expressions.largest(id));
            !syntax.has_width || largest.all(|largest| largest <= u64::MAX >> (64 - bits))
        };
        let too_large = EmitError::TooLarge { bits };
        let multi_index = match multi_index {
            Ok(function) if fits(function) => Ok(function),
            // An inverse has larger numbers than the map.
            Ok(_) if self.map.inverse.is_some() => {
                Err(alloc::format!("it needs numbers of more than {bits} bits"))
            }
            Ok(_) => return Err(too_large),
            Err(reason) => Err(reason.clone()),
        };
        if !fits(linear_index) {
            return Err(too_large);
        }
        let rank = self.map.sizes.len();
        let prefix = match name {
            "" => String::new(),
            name => alloc::format!("{name}_"),
        };
        let mut text = String::new();
        self.comment(&mut text, syntax.comment);
        let print = |function: &Function, arguments: &[String], name: &str| {
            let is_list = name == "multi_index";
            let name = alloc::format!("{prefix}{name}");
            let text = body(&syntax, bits, function, (&name, arguments, is_list));
            (syntax.function)(&text)
        };
        let letter = syntax.argument;
        let indices: Vec<String> = (0..rank).map(|d| alloc::format!("{letter}{d}")).collect();
        text += &print(linear_index, &indices, "linear_index");
        match multi_index {
            // An array of rank 0 has one element, whose index is empty.
            _ if rank == 0 => {}
            Ok(multi_index) => {
                let linear = [syntax.linear.to_string()];
                text += "\n";
                text += &print(multi_index, &linear, "multi_index");
            }
            Err(reason) => {
                let comment = syntax.comment;
                text += &alloc::format!("\n{comment} No multi_index: {reason}.\n");
            }
        }
        Ok(text)
    }

    fn comment(&self, text: &mut String, begin: &str) {
        let map = &self.map;
        let mut line = |line: core::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{begin} {line}");
        };
        line(format_args!("{}", map.title));
        // Of a map whose elements share places there may be more elements than places.
        let elements: u64 = map
            .sizes
            .iter()
            .fold(1, |elements, size| elements.saturating_mul(*size));
        match map.allocated.saturating_sub(elements) {
            0 => line(format_args!("Elements: {elements}, without padding.")),
            padding => line(format_args!(
                "Elements: {elements}, and {padding} that are padding. multi_index of padding is beyond the sizes, or of no use.",
            )),
        }
        if !map.sizes.is_empty() {
            let sizes: Vec<String> = map.sizes.iter().map(ToString::to_string).collect();
            line(format_args!(
                "Sizes: {}. The functions do not check bounds.",
                sizes.join(", ")
            ));
        }
        text.push('\n');
    }
}

fn body<'a>(
    syntax: &Syntax,
    bits: u32,
    function: &Function,
    (name, arguments, is_list): (&'a str, &'a [String], bool),
) -> FunctionText<'a> {
    let Function {
        expressions,
        results,
    } = function;
    let uses = expressions.uses(results);
    let named = match syntax.operators {
        Operators::Affine => Vec::new(),
        Operators::Bits => expressions.select(|id, node| uses[id] > 1 && !node.is_leaf()),
    };
    let has = |is: &dyn Fn(&Node) -> bool| {
        let found = expressions.select(|id, node| uses[id] > 0 && is(node));
        !found.is_empty()
    };
    // The linear index of padding has digits that no element has: then a difference may be negative.
    let wraps = syntax.stops && is_list && has(&|node| matches!(node, Node::Difference(..)));
    let printer = Printer {
        syntax,
        bits,
        expressions,
        arguments,
        named: &named,
        wraps,
    };
    let local = |(number, &id): (usize, &Id)| (alloc::format!("t{number}"), printer.definition(id));
    let is_unused = |argument| !has(&|node| *node == Node::Argument(argument));
    FunctionText {
        bits,
        name,
        arguments,
        unused: (0..arguments.len()).map(is_unused).collect(),
        locals: named.iter().enumerate().map(local).collect(),
        results: results.iter().map(|&id| printer.whole(id)).collect(),
        needed: results.iter().map(|&id| printer.needed(id)).collect(),
        is_list,
    }
}

/// How strongly an operator binds. An operand that binds less than its place needs has parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    /// Shifts and bit operations, whose places differ between languages.
    Bits,
    Sum,
    Product,
    Atom,
}

struct Printer<'a> {
    syntax: &'a Syntax,
    bits: u32,
    expressions: &'a Expressions,
    arguments: &'a [String],
    named: &'a [Id],
    /// Whether numbers may wrap, where the language stops then.
    wraps: bool,
}

impl Printer<'_> {
    fn whole(&self, id: Id) -> String {
        self.operand(id, Binding::Bits)
    }

    /// An operand at a place that needs this binding.
    fn operand(&self, id: Id, needed: Binding) -> String {
        if let Some(number) = self.named.iter().position(|&named| named == id) {
            return alloc::format!("t{number}");
        }
        let (text, binding) = self.text(id);
        if binding < needed {
            alloc::format!("({text})")
        } else {
            text
        }
    }

    /// How many of the named expressions, from the first one on, this one needs.
    fn needed(&self, id: Id) -> usize {
        if let Some(number) = self.named.iter().position(|&named| named == id) {
            return number + 1;
        }
        let mut needed = 0;
        let node = self.expressions.node(id);
        node.operands(|operand| needed = needed.max(self.needed(operand)));
        needed
    }

    fn definition(&self, id: Id) -> String {
        self.text(id).0
    }

    fn number(&self, value: u64) -> String {
        (self.syntax.number)(value, self.bits)
    }

    /// `u64::wrapping_sub(a, b)`; nothing for an operation that cannot overflow.
    fn wrapping(&self, id: Id) -> Option<String> {
        let call = |name: &str, a: String, b: String| {
            alloc::format!("u{}::wrapping_{name}({a}, {b})", self.bits)
        };
        Some(match self.expressions.node(id) {
            Node::Sum(summands) => {
                let summands = summands.iter().map(|&summand| self.whole(summand));
                summands.reduce(|a, b| call("add", a, b))?
            }
            Node::Difference(a, b) => call("sub", self.whole(*a), self.whole(*b)),
            Node::Product(a, factor) => call("mul", self.whole(*a), self.number(*factor)),
            _ => return None,
        })
    }

    fn text(&self, id: Id) -> (String, Binding) {
        use Binding::{Atom, Bits, Product, Sum};
        let affine = self.syntax.operators == Operators::Affine;
        let binary = |a: Id, operator: &str, b: String, needed: Binding, binding: Binding| {
            let a = self.operand(a, needed);
            (alloc::format!("{a} {operator} {b}"), binding)
        };
        if self.wraps
            && let Some(text) = self.wrapping(id)
        {
            return (text, Atom);
        }
        match self.expressions.node(id) {
            Node::Argument(number) => (self.arguments[*number].clone(), Atom),
            Node::Number(value) => (self.number(*value), Atom),
            Node::Sum(summands) => {
                let summands = summands.iter().map(|&summand| self.operand(summand, Sum));
                (summands.collect::<Vec<_>>().join(" + "), Sum)
            }
            Node::Difference(a, b) => {
                let b = self.operand(*b, Product);
                binary(*a, "-", b, Sum, Sum)
            }
            Node::Product(a, factor) => {
                let needed = if affine { Atom } else { Product };
                binary(*a, "*", self.number(*factor), needed, Product)
            }
            Node::Quotient(a, divisor) if divisor.is_power_of_two() && !affine => {
                let shift = self.number(u64::from(divisor.ilog2()));
                binary(*a, ">>", shift, Atom, Bits)
            }
            Node::Quotient(a, divisor) => {
                binary(*a, self.syntax.divide, self.number(*divisor), Atom, Product)
            }
            Node::Remainder(a, modulus) if modulus.is_power_of_two() && !affine => {
                binary(*a, "&", self.number(modulus - 1), Atom, Bits)
            }
            Node::Remainder(a, modulus) => binary(
                *a,
                self.syntax.remainder,
                self.number(*modulus),
                Atom,
                Product,
            ),
            Node::Masked(a, mask) => binary(*a, "&", self.number(*mask), Atom, Bits),
            Node::ExclusiveOr(a, b) => {
                let b = self.operand(*b, Atom);
                binary(*a, "^", b, Atom, Bits)
            }
        }
    }
}

/// Whether it may begin a name in each of the languages. The empty text may.
fn is_identifier(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(word) && !name.starts_with(|c: char| c.is_ascii_digit())
}
