//! The entry: its parameters live from the beginning, its result lives to the end, and results may
//! take the memory of parameters.

use super::super::stop::{SECOND_PARAMETER, Stop};
use super::parts::Item;
use super::{At, Follow};

impl Follow<'_> {
    pub(super) fn entry(&mut self, number: u32) -> Result<(), Stop> {
        let module = self.module;
        let entry = &module.computations[number as usize];
        for (k, instruction) in (0..).zip(&entry.instructions) {
            let Some(parameter) = module.parameter(instruction) else {
                continue;
            };
            let at = At {
                computation: entry,
                instruction,
                by: (number, k),
            };
            let places = self.made(at)?;
            for &value in places.iter().flatten() {
                self.walk.values[value as usize].fixed = true;
                self.walk.parameters.push(value);
            }
            let is_new = !self.parameters.contains_key(&parameter);
            self.check(is_new, at.by, SECOND_PARAMETER)?;
            (self.parameters.entry(parameter)).or_insert((instruction.shape, places));
        }
        let result = self.run(number)?;
        let root = entry.root();
        let end = self.now();
        self.walk.results = result.iter().copied().flatten().collect();
        for &value in result.iter().flatten() {
            self.walk.values[value as usize].used = end;
        }
        let parameters = std::mem::take(&mut self.parameters);
        for alias in &module.aliases {
            let parameter = parameters.get(&alias.parameter);
            let from = match parameter {
                Some((shape, places)) => self.place(*shape, &alias.index).of(places),
                None => Item::Missing,
            };
            let to = self.place(root.shape, &alias.result).of(&result);
            match (from, to) {
                (Item::Array(from), Item::Array(to)) if self.share(from, to) => {
                    self.walk.donated.push(from);
                }
                (Item::Missing, _) | (_, Item::Missing) if !module.is_damaged => {
                    return Err(Stop::Alias(alias.parameter));
                }
                _ => {}
            }
        }
        for (whole, parts) in std::mem::take(&mut self.parts).into_iter().rev() {
            let used = self.walk.values[whole as usize].used;
            for part in parts {
                self.use_at(part, used);
            }
        }
        Ok(())
    }
}
