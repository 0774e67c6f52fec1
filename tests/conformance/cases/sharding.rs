//! Shardings: `sharding` and `sharding_jaxlib`. Every rule here is about a kind of line, never
//! about one line.

use serde_json::Value;
use xlayout_core::{ArrayShape, Shape};
use xlayout_sharding::Sharding;

use super::{Check, same, text};

/// Checks a line. Returns `None` if it is not about shardings.
pub(crate) fn check(kind_or_op: &str, case: &Value) -> Option<Check> {
    let keys: &[&str] = match kind_or_op {
        "sharding" => &[
            "t", "shape", "s", "p", "v", "tile", "n", "dev", "err", "crash",
        ],
        "sharding_jaxlib" => &["t", "s", "p", "tad", "tav", "err", "crash"],
        _ => return None,
    };
    Some(line(case, keys))
}

fn line(case: &Value, keys: &[&str]) -> Check {
    let fields = case.as_object().ok_or("the line is no object")?;
    if let Some(key) = fields.keys().find(|key| !keys.contains(&key.as_str())) {
        return Err(format!("the key `{key}` is not known"));
    }
    let t = text(case, "t")?;
    let read = t.parse::<Sharding>();
    if fields.contains_key("err") || fields.contains_key("crash") {
        return refused(case, t, read);
    }
    let sharding = read.map_err(|error| format!("reading `{t}`: {error}"))?;
    if !fields.contains_key("s") || !fields.contains_key("p") {
        return Err("the line has no answers".into());
    }
    printed(case, &sharding)?;
    grid(case, &sharding)?;
    if fields.contains_key("shape") {
        shape(case, &sharding)?;
    }
    Ok(())
}

/// XLA refuses or aborts, if not on reading then on a question that follows. jaxlib asked each
/// sharding for its tiles, which a tuple has not.
fn refused(case: &Value, t: &str, read: Result<Sharding, xlayout_sharding::ReadError>) -> Check {
    let words = match read {
        Err(error) => error.to_string(),
        Ok(sharding) => {
            let valid = match case.get("shape") {
                Some(_) => {
                    let shape = read_shape(case)?;
                    sharding.validate(&shape, None).map(|()| sharding.clone())
                }
                None if sharding.is_tuple() => {
                    sharding.tile_index_for_device(0).map(|_| sharding.clone())
                }
                None => Ok(sharding),
            };
            match valid {
                Ok(found) => return Err(format!("`{t}`: expected an error, found {found}")),
                Err(error) => error.to_string(),
            }
        }
    };
    match words.trim() {
        "" => Err(format!("`{t}`: the error says nothing")),
        _ => Ok(()),
    }
}

fn printed(case: &Value, sharding: &Sharding) -> Check {
    let s = text(case, "s")?;
    same("the text", s, &sharding.to_string())?;
    let again = s.parse::<Sharding>();
    let again = again.map_err(|error| format!("reading `{s}` again: {error}"))?;
    same("what is read again", sharding, &again)
}

/// `tad` and `tav`: the grid and its devices.
fn grid(case: &Value, sharding: &Sharding) -> Check {
    let tiles = sharding.as_tiled().map(|tiling| tiling.tile_assignment());
    if let Some(expected) = case.get("tad") {
        let found = tiles.map(|tiles| tiles.dimensions().to_vec());
        same("the grid", Some(numbers(expected)?), found)?;
    }
    if let Some(expected) = case.get("tav") {
        let found = tiles.map(|tiles| tiles.devices().collect::<Vec<_>>());
        same("the devices", Some(numbers(expected)?), found)?;
    }
    Ok(())
}

fn shape(case: &Value, sharding: &Sharding) -> Check {
    let shape = read_shape(case)?;
    let valid = sharding.validate(&shape, None);
    match (text(case, "v")?, valid) {
        ("", Err(error)) => return Err(format!("it is valid, but: {error}")),
        ("", Ok(())) => {}
        (words, Ok(())) => return Err(format!("it is not valid: {words}")),
        (_, Err(_)) => {}
    }
    if let Some(n) = case.get("n") {
        same("NumTiles", n.as_i64(), sharding.num_tiles())?;
    }
    if case.get("tile").is_none() && case.get("dev").is_none() {
        return Ok(());
    }
    let Shape::Array(array) = &shape else {
        return Err("tiles of what is no array".into());
    };
    if case.get("tile").is_some() {
        let found = sharding.tile_shape(array).map_err(|e| e.to_string())?;
        same("TileShape", text(case, "tile")?, &found.to_string())?;
    }
    match case.get("dev") {
        Some(devices) => of_devices(devices, sharding, array),
        None => Ok(()),
    }
}

fn of_devices(devices: &Value, sharding: &Sharding, array: &ArrayShape) -> Check {
    let devices = devices.as_object().ok_or("`dev` is no object")?;
    let used = sharding
        .as_tiled()
        .map(|t| t.tile_assignment().num_devices());
    same("devices", devices.len() as i64, used.unwrap_or(0))?;
    for (device, expected) in devices {
        let what = |name: &str| format!("{name} of device {device}");
        let device: i64 = device.parse().map_err(|_| "a device is no number")?;
        let [index, offset, limit] = expected.as_array().map_or(&[][..], |list| list) else {
            return Err(format!("device {device} has not three answers"));
        };
        let index = numbers(index)?;
        let offset = numbers(offset)?;
        let limit = numbers(limit)?;
        let found = sharding.tile_index_for_device(device);
        same(
            &what("TileIndexForDevice"),
            &index,
            &found.map_err(|e| e.to_string())?,
        )?;
        let ranges = sharding
            .index_ranges(array, device)
            .map_err(|e| e.to_string())?;
        let expected: Vec<_> = offset.iter().zip(&limit).map(|(&a, &b)| a..b).collect();
        same(
            &what("TileOffsetForDevice and TileLimitForDevice"),
            expected,
            ranges,
        )?;
    }
    Ok(())
}

fn read_shape(case: &Value) -> Result<Shape, String> {
    let text = text(case, "shape")?;
    Shape::read_xla(text).map_err(|e| format!("reading `{text}`: {e}"))
}

fn numbers(value: &Value) -> Result<Vec<i64>, String> {
    let list = value.as_array().ok_or("a list of numbers is none")?;
    let numbers = list.iter().map(Value::as_i64).collect::<Option<_>>();
    numbers.ok_or("a list of numbers holds something else".into())
}
