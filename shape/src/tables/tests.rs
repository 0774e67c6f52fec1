//! The table of the element types is complete and says nothing twice.

use std::collections::HashSet;
use std::vec::Vec;

use crate::ElementType;
use crate::element_type::{ALIASES, NAMES};

#[test]
fn every_number_of_xla_has_one_row() {
    // XLA's numbers have no gap, and 0 is "invalid".
    let numbers: Vec<u8> = ElementType::all().map(ElementType::number).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len() as u8));
    assert_eq!(NAMES.len(), numbers.len());
    for (element_type, name) in NAMES {
        assert_eq!(element_type.name(), *name);
        let number = element_type.number().into();
        assert_eq!(ElementType::from_number(number), Some(*element_type));
        assert_eq!(element_type.is_array(), element_type.kind().is_some());
    }
}

#[test]
fn no_name_means_two_types() {
    let aliases = ALIASES.iter().flat_map(|(aliases, _)| aliases.iter());
    let mut seen: HashSet<&str> = HashSet::new();
    for name in NAMES.iter().map(|(_, name)| name).chain(aliases) {
        assert!(seen.insert(name), "{name}");
        assert!(
            !name.contains('_') && *name == name.to_lowercase(),
            "{name}"
        );
    }
}
