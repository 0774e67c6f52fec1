//! The layouts at the borders of modules: parameters and results.

use crate::{Bytes, EntryArray, FirstLine};

use super::super::arrays::Asked;
use super::parts::{MODULES, more, waste};
use crate::command::words::{bytes, counted, joined, shortened};
use xlayout_command::table::{Cell, DIM, HEADER, Table, Text};

/// The layouts at the borders of the modules.
pub(super) fn entries(out: &mut Text, (arguments, findings): Asked<'_>) {
    let modules = findings.modules.all.iter();
    let mut with_entry = modules.filter(|module| module.has_entry);
    for module in with_entry.by_ref().take(MODULES) {
        entry(out, (arguments, findings), module);
    }
    if let more @ 1.. = with_entry.count() {
        let modules = counted(more as u64, "more module");
        let where_all = "`--json` has the layouts of all";
        writeln!(out, "{DIM}… {modules}: {where_all}{DIM:#}\n");
    }
}

fn entry(out: &mut Text, (arguments, findings): Asked<'_>, module: &FirstLine) {
    // A module without parameters and results is not listed.
    let empty = module.parameters.is_empty() && module.results.is_empty();
    if arguments.common.rows() == 0 || empty {
        return;
    }
    let array = |part: &EntryArray| findings.tally.arrays.get(part.array as usize);
    let name = shortened(&module.name, 60);
    writeln!(out, "{HEADER}Entry of {name}{HEADER:#}");
    let mut table = Table::with_header("|>allocated|>padding|array");
    let sides = [
        ("parameter", &module.parameters),
        ("result", &module.results),
    ];
    let mut left_out = 0;
    for (what, parts) in sides {
        left_out += parts.len().saturating_sub(arguments.common.rows());
        for part in parts.iter().take(arguments.common.rows()) {
            let mut name = what.to_owned();
            if what == "parameter" {
                name.push_str(&format!(" {}", part.number));
            }
            if !part.index.is_empty() {
                name.push_str(&format!(" {{{}}}", joined(&part.index, ",")));
            }
            if let Some(array) = array(part) {
                let sum = Bytes {
                    count: 1,
                    logical: array.logical.into(),
                    allocated: array.allocated.into(),
                };
                table.row([
                    name.into(),
                    bytes(array.allocated).into(),
                    waste(sum),
                    Cell::from(&*array.shape),
                ]);
            }
        }
    }
    table.write(out, 2);
    more(out, left_out, 0)
}
