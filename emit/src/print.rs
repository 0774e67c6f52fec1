//! Functions as text. What languages have in common is here, what they differ in is in `languages`.
//!
//! ```text
//! body(function):
//!     expressions that are used twice or more, and are no leaves, get a name: t0, t1, …, operands
//!         first
//!     print each of them, and then the results, with parentheses where the operator around binds
//!         as strongly
//! ```

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::error::EmitError;
use crate::expression::{Expressions, Id, Node};
use crate::functions::Functions;
use crate::languages::{Language, Syntax};

/// What is written, and how.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    pub(crate) language: Language,
    pub(crate) bits: u32,
    pub(crate) name: &'a str,
}

impl<'a> Options<'a> {
    /// Functions `linear_index` and `multi_index`, with the numbers that the language's programs
    /// use most.
    #[must_use]
    pub const fn new(language: Language) -> Self {
        Self {
            language,
            bits: language.syntax().bits,
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
    /// If a number may need more bits than the language's numbers have, or if the name is no
    /// identifier.
    pub fn emit(&self, options: &Options<'_>) -> Result<String, EmitError> {
        let language = options.language;
        let bits = options.bits;
        let name = options.name;
        if !is_identifier(name) {
            return Err(EmitError::Name { name: name.into() });
        }
        if bits > 32 && language == Language::Wgsl {
            return Err(EmitError::NoSuchNumbers { language });
        }
        let syntax = language.syntax();
        // Without bit operations, for languages that have none.
        let arithmetic = syntax.affine.then(|| Self::made(&self.map, true));
        let arithmetic = arithmetic.transpose()?;
        let this = arithmetic.as_ref().unwrap_or(self);
        let limit = u64::MAX >> (64 - bits);
        let fits = |function: &Expressions| {
            let mut needed = function.needed().into_iter();
            !syntax.has_width || needed.all(|(id, _)| function.largest(id) <= limit)
        };
        let multi_index = match &this.multi_index {
            Ok(function) if fits(function) => Ok(function),
            // An inverse has larger numbers than the map.
            Ok(_) if self.map.inverse.is_some() => {
                Err(format!("it needs numbers of more than {bits} bits"))
            }
            Ok(_) => return Err(EmitError::TooLarge { bits }),
            Err(reason) => Err(reason.clone()),
        };
        if !fits(&this.linear_index) {
            return Err(EmitError::TooLarge { bits });
        }
        let letter = syntax.index;
        let indices = (0..self.map.sizes.len()).map(|d| format!("{letter}{d}"));
        let indices: Vec<String> = indices.collect();
        let mut text = self.comment(syntax.comment);
        text += &function(options, &this.linear_index, &indices, false);
        // An array of rank 0 has one element, whose index is empty.
        if !indices.is_empty() {
            let linear = if syntax.affine { "d0" } else { "linear" };
            text += "\n";
            text += &match multi_index {
                Ok(multi_index) => function(options, multi_index, &[linear.to_string()], true),
                Err(reason) => format!("{} No multi_index: {reason}.\n", syntax.comment),
            };
        }
        Ok(text)
    }

    fn comment(&self, begin: &str) -> String {
        let map = &self.map;
        let mut text = format!("{begin} {}\n", map.title);
        // Of a map whose elements share places there may be more elements than places.
        let sizes = map.sizes.iter();
        let elements = sizes.fold(1_u64, |elements, size| elements.saturating_mul(*size));
        let padding = match map.allocated.saturating_sub(elements) {
            0 => "without padding.".to_string(),
            padding => format!(
                "and {padding} that are padding. multi_index of padding is beyond the \
                 sizes, or of no use."
            ),
        };
        text += &format!("{begin} Elements: {elements}, {padding}\n");
        if !map.sizes.is_empty() {
            let sizes: Vec<String> = map.sizes.iter().map(ToString::to_string).collect();
            let sizes = sizes.join(", ");
            text += &format!("{begin} Sizes: {sizes}. The functions do not check bounds.\n");
        }
        text + "\n"
    }
}

/// A function as text.
fn function(
    options: &Options<'_>,
    expressions: &Expressions,
    arguments: &[String],
    is_list: bool,
) -> String {
    let syntax = options.language.syntax();
    let bits = options.bits;
    let needed = expressions.needed();
    let has = |is: &dyn Fn(&Node) -> bool| needed.iter().any(|&(id, _)| is(expressions.node(id)));
    let mut printer = Printer {
        syntax,
        bits,
        arguments,
        // The linear index of padding has digits that no element has: then a difference may be
        // negative.
        wraps: syntax.stops && is_list && has(&|node| matches!(node, Node::Difference(..))),
        printed: BTreeMap::new(),
    };
    let kind = usize::from(is_list);
    let fill = |template: &str, name: &str, value: &str| {
        let text = template.replace("$name", name).replace("$value", value);
        text.replace("$bits", &bits.to_string())
    };
    let mut lines = String::new();
    let argument = |(number, name): (usize, &String)| {
        let unused = !has(&|node| *node == Node::Argument(number));
        if unused {
            lines += &fill(syntax.unused, name, "");
        }
        fill(syntax.argument[usize::from(unused)], name, "")
    };
    let mut names: Vec<String> = arguments.iter().enumerate().map(argument).collect();
    if names.is_empty() {
        names.push(syntax.no_arguments.into());
    }
    let local = |name: &str, value: &str| fill(syntax.local, name, value);
    let locals = printer.print(expressions, &needed, local);
    let results = expressions.results.iter().map(|id| &printer.printed[id]);
    // Each result as soon as what it needs has a name.
    for ready in 0..=locals.len() {
        lines.extend(ready.checked_sub(1).map(|number| &*locals[number]));
        for (k, result) in results.clone().enumerate() {
            if result.names == ready {
                lines += &fill(syntax.result[kind], &k.to_string(), &result.text);
            }
        }
    }
    let results: Vec<&str> = results.map(|result| &*result.text).collect();
    let name = match (options.name, ["linear_index", "multi_index"][kind]) {
        ("", own) => own.to_string(),
        (name, own) => format!("{name}_{own}"),
    };
    fill(syntax.function[kind], &name, "")
        .replace("$arguments", &names.join(", "))
        .replace("$count", &results.len().to_string())
        .replace("$comma", if results.len() == 1 { "," } else { "" })
        .replace("$results", &results.join(", "))
        .replace("$lines", &lines)
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
    arguments: &'a [String],
    /// Whether numbers may wrap, where the language stops then.
    wraps: bool,
    printed: BTreeMap<Id, Printed>,
}

/// How an expression is written.
struct Printed {
    text: String,
    binding: Binding,
    /// How many names it needs.
    names: usize,
}

impl Printer<'_> {
    /// Prints the expressions, operands first. One that is used several times gets a name, where
    /// the language has names. Returns the lines that give the names, which `local` makes.
    fn print(
        &mut self,
        expressions: &Expressions,
        needed: &[(Id, usize)],
        local: impl Fn(&str, &str) -> String,
    ) -> Vec<String> {
        let mut locals = Vec::new();
        for &(id, uses) in needed {
            let node = expressions.node(id);
            let (text, binding) = self.text(node);
            let names = |id| self.printed[id].names;
            let names = node.operands().iter().map(names).max().unwrap_or(0);
            let mut printed = Printed {
                text,
                binding,
                names,
            };
            if uses > 1 && !node.is_leaf() && !self.syntax.affine {
                let name = format!("t{}", locals.len());
                locals.push(local(&name, &printed.text));
                printed = Printed {
                    text: name,
                    binding: Binding::Atom,
                    names: locals.len(),
                };
            }
            self.printed.insert(id, printed);
        }
        locals
    }

    /// An operand at a place that needs this binding.
    fn operand(&self, id: Id, needed: Binding) -> String {
        let Printed { text, binding, .. } = &self.printed[&id];
        if *binding < needed {
            format!("({text})")
        } else {
            text.clone()
        }
    }

    fn number(&self, value: u64) -> String {
        (self.syntax.number)(value, self.bits)
    }

    /// `u64::wrapping_sub(a, b)`; nothing for an operation that cannot overflow.
    fn wrapping(&self, node: &Node) -> Option<String> {
        let whole = |id: &Id| self.operand(*id, Binding::Bits);
        let call =
            |name: &str, a: String, b: String| format!("u{}::wrapping_{name}({a}, {b})", self.bits);
        match node {
            Node::Sum(summands) => summands.iter().map(whole).reduce(|a, b| call("add", a, b)),
            Node::Difference([a, b]) => Some(call("sub", whole(a), whole(b))),
            Node::Product(a, factor) => Some(call("mul", whole(a), self.number(*factor))),
            _ => None,
        }
    }

    fn text(&self, node: &Node) -> (String, Binding) {
        use Binding::{Atom, Bits, Product, Sum};
        let affine = self.syntax.affine;
        if self.wraps
            && let Some(text) = self.wrapping(node)
        {
            return (text, Atom);
        }
        let (a, operator, b) = match node {
            Node::Argument(number) => return (self.arguments[*number].clone(), Atom),
            Node::Number(value) => return (self.number(*value), Atom),
            Node::Sum(summands) => {
                let summands = summands.iter().map(|&summand| self.operand(summand, Sum));
                return (summands.collect::<Vec<_>>().join(" + "), Sum);
            }
            Node::Difference([a, b]) => (a, "-", self.operand(*b, Product)),
            Node::ExclusiveOr([a, b]) => (a, "^", self.operand(*b, Atom)),
            Node::Product(a, factor) => (a, "*", self.number(*factor)),
            Node::Masked(a, mask) => (a, "&", self.number(*mask)),
            Node::Quotient(a, divisor) if divisor.is_power_of_two() && !affine => {
                (a, ">>", self.number(divisor.ilog2().into()))
            }
            Node::Quotient(a, divisor) => (a, self.syntax.divide, self.number(*divisor)),
            Node::Remainder(a, modulus) if modulus.is_power_of_two() && !affine => {
                (a, "&", self.number(modulus - 1))
            }
            Node::Remainder(a, modulus) => (a, self.syntax.remainder, self.number(*modulus)),
        };
        let (needed, binding) = match operator {
            "-" => (Sum, Sum),
            "*" if !affine => (Product, Product),
            ">>" | "&" | "^" => (Atom, Bits),
            _ => (Atom, Product),
        };
        let a = self.operand(*a, needed);
        (format!("{a} {operator} {b}"), binding)
    }
}

/// Whether it may begin a name in each of the languages. The empty text may.
fn is_identifier(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(word) && !name.starts_with(|c: char| c.is_ascii_digit())
}
