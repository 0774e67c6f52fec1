//! numpy, torch and XLA through JAX: `rivals.py` beside the race times their copies in another
//! process, with the same rounds, and checks them.

use std::process::{Command, Stdio};

use crate::case::Case;

/// The libraries of the script, by their names in it.
pub(crate) const NAMES: [&str; 4] = ["numpy", "torch", "xla_jit", "xla_device_put"];

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/rivals.py");

/// The nanoseconds of one copy of each library that can do the case. The script's messages about
/// others go to standard error.
pub(crate) fn times(
    python: &str,
    case: &Case,
    rounds: Option<usize>,
) -> Result<Vec<(&'static str, f64)>, String> {
    let mut command = Command::new(python);
    command.arg(SCRIPT).arg("--json").stderr(Stdio::inherit());
    if let Some(rounds) = rounds {
        command.arg("--rounds").arg(rounds.to_string());
    }
    let output = command.arg(&case.text).output();
    let output = output.map_err(|error| format!("`{python}` cannot be run: {error}"))?;
    if !output.status.success() {
        return Err(format!("{SCRIPT}: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(NAMES
        .into_iter()
        .filter_map(|name| Some((name, number(&text, name)?)))
        .collect())
}

/// The number after a name in a line of JSON; `None` if it is `null` or missing.
pub(crate) fn number(json: &str, name: &str) -> Option<f64> {
    let (_, rest) = json.split_once(&format!("\"{name}\": "))?;
    let end = rest.find([',', '}'])?;
    rest[..end].parse().ok()
}
