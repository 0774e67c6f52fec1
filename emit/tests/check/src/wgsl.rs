//! Calls functions of WGSL that naga has read and validated: those that return an expression.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{BinaryOperator, Expression, Function, Handle, Literal, Statement};

pub struct Module(naga::Module);

impl Module {
    /// Reads and validates a text.
    pub fn read(text: &str) -> Self {
        let module = naga::front::wgsl::parse_str(text)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
        let validated =
            Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
        validated.unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
        Self(module)
    }

    /// The result of a function, an integer or an array of integers.
    pub fn call(&self, name: &str, arguments: &[u64]) -> Vec<u64> {
        let functions = self.0.functions.iter();
        let mut named = functions.filter(|(_, function)| function.name.as_deref() == Some(name));
        let (_, function) = named.next().expect("there is such a function");
        let returned = function.body.iter().find_map(|statement| match statement {
            Statement::Return { value } => *value,
            _ => None,
        });
        let arguments: Vec<u32> = arguments.iter().map(|&a| a as u32).collect();
        let values = value(function, &arguments, returned.expect("it returns"));
        values.into_iter().map(u64::from).collect()
    }
}

fn value(function: &Function, arguments: &[u32], handle: Handle<Expression>) -> Vec<u32> {
    let scalar = |handle| value(function, arguments, handle)[0];
    match &function.expressions[handle] {
        Expression::FunctionArgument(number) => vec![arguments[*number as usize]],
        Expression::Literal(Literal::U32(number)) => vec![*number],
        Expression::Compose { components, .. } => components.iter().map(|&c| scalar(c)).collect(),
        Expression::Binary { op, left, right } => {
            let left = scalar(*left);
            let right = scalar(*right);
            vec![match op {
                BinaryOperator::Add => left.checked_add(right).expect("no overflow"),
                BinaryOperator::Subtract => left.checked_sub(right).expect("no overflow"),
                BinaryOperator::Multiply => left.checked_mul(right).expect("no overflow"),
                BinaryOperator::Divide => left / right,
                BinaryOperator::Modulo => left % right,
                BinaryOperator::And => left & right,
                BinaryOperator::ExclusiveOr => left ^ right,
                BinaryOperator::ShiftRight => left >> right,
                other => panic!("{other:?} is not emitted"),
            }]
        }
        other => panic!("{other:?} is not emitted"),
    }
}
