//! Texts that occur often, each distinct one once.

use std::collections::HashMap;
use std::rc::Rc;

/// The number of a text; 0 is the empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Text(u32);

#[derive(Debug)]
pub(crate) struct Texts {
    all: Vec<Rc<str>>,
    known: HashMap<Rc<str>, Text>,
}

impl Default for Texts {
    fn default() -> Self {
        let empty: Rc<str> = "".into();
        Self {
            all: vec![empty.clone()],
            known: HashMap::from([(empty, Text(0))]),
        }
    }
}

impl Texts {
    pub(crate) fn get(&self, text: Text) -> &str {
        &self.all[text.0 as usize]
    }

    /// The number of a text; a new one if it was not there.
    pub(crate) fn add(&mut self, text: &str) -> Text {
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let Ok(number) = u32::try_from(self.all.len()) else {
            unreachable!("2^32 texts take more memory than the instructions that hold them");
        };
        let shared: Rc<str> = text.into();
        self.all.push(shared.clone());
        self.known.insert(shared, Text(number));
        Text(number)
    }
}
