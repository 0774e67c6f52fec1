//! The signature of a program.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use xlayout_core::Shape;

use crate::error::{ProtoError, ProtoErrorKind};
use crate::{ProgramShapeProto, Proto};

/// The shapes of what a program takes and returns (XLA: `ProgramShape`).
///
/// It prints as XLA prints it, without layouts:
///
/// ```
/// use xlayout_proto::{Parameter, ProgramShape};
///
/// let program = ProgramShape {
///     parameters: vec![
///         Parameter { name: "x".into(), shape: "f32[2,3]".parse()? },
///         Parameter { name: String::new(), shape: "s32[]".parse()? },
///     ],
///     result: "(f32[2], token[])".parse()?,
/// };
/// assert_eq!(program.to_string(), "(x: f32[2,3], (unknown): s32[]) -> (f32[2], token[])");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "MakeProgramShape")]
#[doc(alias = "HumanString")]
#[doc(alias = "PrintHumanString")]
#[doc(alias = "ToString")]
#[doc(alias = "Print")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramShape {
    /// What the program takes.
    #[doc(alias = "AddParameter")]
    pub parameters: Vec<Parameter>,
    /// What the program returns.
    pub result: Shape,
}

/// One parameter of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// Its name; an empty one is none, and prints as `(unknown)`.
    #[doc(alias = "parameter_names")]
    pub name: String,
    /// Its shape.
    pub shape: Shape,
}

/// XLA's text (XLA: `ShapeUtil::HumanString(ProgramShape)`): no layouts.
impl Display for ProgramShape {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (k, Parameter { name, shape }) in self.parameters.iter().enumerate() {
            let comma = if k > 0 { ", " } else { "" };
            let name = if name.is_empty() { "(unknown)" } else { name };
            write!(f, "{comma}{name}: {}", shape.display_without_layout())?;
        }
        write!(f, ") -> {}", self.result.display_without_layout())
    }
}

/// In both directions as XLA's `ProgramShape::ToProto` and `ProgramShape::FromProto`; a message
/// without any name, which XLA refuses, is read, too.
///
/// ```
/// use xlayout_proto::{ProgramShape, Proto};
///
/// // f(x: token[]) -> token[]
/// let bytes = b"\x0a\x02\x10\x11\x12\x02\x10\x11\x1a\x01x";
/// let program = ProgramShape::from_proto_bytes(bytes)?;
/// assert_eq!(program.to_string(), "(x: token[]) -> token[]");
/// assert_eq!(program.to_proto_bytes(), bytes);
/// # Ok::<(), xlayout_proto::ProtoError>(())
/// ```
impl Proto for ProgramShape {
    type Message = ProgramShapeProto;

    fn to_proto(&self) -> ProgramShapeProto {
        ProgramShapeProto {
            parameters: self.parameters.iter().map(|p| p.shape.to_proto()).collect(),
            result: Some(self.result.to_proto()),
            parameter_names: self.parameters.iter().map(|p| p.name.clone()).collect(),
        }
    }

    fn from_proto(message: &ProgramShapeProto) -> Result<Self, ProtoError> {
        let names = message.parameter_names.len();
        let parameters = message.parameters.len();
        if names != 0 && names != parameters {
            let kind = ProtoErrorKind::ParameterNames { names, parameters };
            return Err(kind.at("parameter_names"));
        }
        let mut read = Vec::with_capacity(parameters);
        for (k, shape) in message.parameters.iter().enumerate() {
            let shape =
                Shape::from_proto(shape).map_err(|error| error.within_item("parameters", k))?;
            // Without a list of names no parameter has one; XLA writes that as an empty name.
            let name = message.parameter_names.get(k).cloned().unwrap_or_default();
            read.push(Parameter { name, shape });
        }
        let result = message.result.as_ref();
        let result = result.ok_or_else(|| ProtoErrorKind::NoResult.at("result"))?;
        let result = Shape::from_proto(result).map_err(|error| error.within("result"))?;
        Ok(Self {
            parameters: read,
            result,
        })
    }
}
