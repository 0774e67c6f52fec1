//! The groups of arrays that can be asked for, and what they are sorted by.

use xlayout_hlo::group::{self, Group, Key};
use xlayout_hlo::{Array, Instruction, Module};

use super::Arrays;
use super::arguments::{By, Sort};

impl Sort {
    pub(super) fn key(self) -> Key {
        match self {
            Self::Allocated => |bytes| bytes.allocated,
            Self::Padding => |bytes| bytes.padding(),
            // The share of padding in units of 2^-32.
            Self::Waste => |bytes| {
                let padding = bytes.padding() << 32;
                padding.checked_div(bytes.allocated).unwrap_or(0)
            },
            Self::Count => |bytes| bytes.count,
            Self::Name => |_| 0,
        }
    }
}

impl Arrays<'_> {
    /// The groups of arrays. By shape, each distinct array is a group.
    pub(super) fn groups(&self, by: By, sort: Sort) -> Vec<Group> {
        if let Some(groups) = &self.groups {
            return groups.clone();
        }
        let name = |array: &Array| match by {
            By::Shape => array.shape.to_string(),
            By::Layout => array.layout().to_owned(),
            By::Type => array.element_type().to_owned(),
            By::Space => array.memory_space.to_string(),
            By::Opcode | By::Scope | By::Source => {
                unreachable!("these groups are those of instructions, and are there already")
            }
        };
        group::groups(&self.found.tally, name, sort.key())
    }
}

impl By {
    /// The names of a kind of group: the key for programs, and the plural and the singular for people.
    pub(super) fn words(self) -> [&'static str; 3] {
        match self {
            Self::Shape => ["shape", "Arrays", "array"],
            Self::Layout => ["layout", "Layouts", "layout"],
            Self::Type => ["element_type", "Element types", "type"],
            Self::Space => ["memory_space", "Memory spaces", "space"],
            Self::Opcode => ["opcode", "Operations", "operation"],
            Self::Scope => ["scope", "Scopes of the program", "scope"],
            Self::Source => ["source", "Lines of the program", "line"],
        }
    }

    /// The name of the group that an instruction belongs to.
    pub(super) fn of_instruction(self) -> fn(&Module, &Instruction) -> String {
        let name: fn(&Module, &Instruction) -> String = match self {
            // The last part is the operation itself.
            Self::Scope => |module, instruction| {
                let name = module.op_name(instruction);
                let scope = name.rsplit_once('/').map_or(name, |(scope, _)| scope);
                named(scope)
            },
            Self::Source => |module, instruction| {
                let place = module.source(instruction);
                named(&place.map_or(String::new(), |place| place.to_string()))
            },
            _ => |module, instruction| named(module.opcode(instruction)),
        };
        name
    }
}

fn named(name: &str) -> String {
    match name {
        "" => "(none)".to_owned(),
        name => name.to_owned(),
    }
}
