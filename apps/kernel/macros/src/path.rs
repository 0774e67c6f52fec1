//! What a type of a parameter is, by the last name of its path and what stands in its angle
//! brackets.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

fn last_segment(of_type: &Type) -> Option<&PathSegment> {
    match of_type {
        Type::Path(path) => path.path.segments.last(),
        Type::Macro(call) => call.mac.path.segments.last(),
        _ => None,
    }
}

/// The last name of a path: `In` of `xlayout_kernel::In<…>`. Another type has none.
pub(crate) fn last_name(of_type: &Type) -> String {
    let name = last_segment(of_type).map(|segment| segment.ident.to_string());
    name.unwrap_or_default()
}

/// The types between the angle brackets behind the last name: `f32` and `A` of
/// `SliceView<'_, f32, A>`.
pub(crate) fn arguments(of_type: &Type) -> Vec<&Type> {
    let arguments = last_segment(of_type).map(|segment| &segment.arguments);
    let Some(PathArguments::AngleBracketed(arguments)) = arguments else {
        return Vec::new();
    };
    let types = arguments.args.iter().map(|argument| match argument {
        GenericArgument::Type(of_type) => Some(of_type),
        _ => None,
    });
    types.flatten().collect()
}

/// `A` of `In<A>`, where this is an array.
pub(crate) fn layout_of_array(of_type: &Type) -> Option<&Type> {
    let is_array = matches!(last_name(of_type).as_str(), "In" | "Out" | "InOut");
    arguments(of_type).pop().filter(|_| is_array)
}
