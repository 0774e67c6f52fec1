//! `input_output_alias`: results that take the memory of parameters.

use super::build::Wrong;
use super::{Alias, tail};

/// `{ {0}: (1, {}, may-alias), {1,0}: (2, {0}, must-alias) }`, and what is wrong with the first item of another form.
pub(super) fn aliases(text: &str) -> (Vec<Alias>, Option<Wrong>) {
    let inner = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    let mut aliases = Vec::new();
    let mut wrong = None;
    for item in inner.map_or_else(|| vec![text], tail::parts) {
        match alias(item) {
            Some(alias) => aliases.push(alias),
            None => {
                let item = crate::words::shortened(item, 60);
                wrong = wrong.or(Some(Wrong {
                    message: format!("`{item}` in `input_output_alias` cannot be read"),
                    help: "write the result, the parameter's number and the place in it: `{0}: (1, {}, may-alias)`",
                }));
            }
        }
    }
    (aliases, wrong)
}

fn alias(item: &str) -> Option<Alias> {
    let index = |text: &str| -> Option<Box<[u32]>> {
        let numbers = tail::numbers(text)?.into_iter();
        numbers.map(|number| u32::try_from(number).ok()).collect()
    };
    let (result, target) = item.split_once(':')?;
    let target = target.trim().strip_prefix('(')?.strip_suffix(')')?;
    let fields = tail::parts(target);
    // Older versions of XLA leave out the kind.
    let must = match fields.get(2).copied() {
        Some("must-alias") => true,
        None | Some("may-alias") => false,
        Some(_) => return None,
    };
    Some(Alias {
        result: index(result)?,
        parameter: fields.first()?.parse().ok()?,
        index: index(fields.get(1)?)?,
        must,
    })
}
