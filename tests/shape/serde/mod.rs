//! Shapes and layouts through serde: JSON for people, postcard as a binary format.
#![cfg(all(feature = "std", feature = "serde"))]

mod bytes;
mod laws;
mod people;
mod typed;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes and reads in a format for people.
fn through_json<T: Serialize + DeserializeOwned>(value: &T) -> Result<T, String> {
    let text = serde_json::to_string(value).expect("JSON can write anything");
    json(&text)
}

/// Writes and reads in a binary format.
fn through_bytes<T: Serialize + DeserializeOwned>(value: &T) -> Result<T, String> {
    let bytes = postcard::to_allocvec(value).expect("postcard can write sequences of known length");
    let (read, rest) = postcard::take_from_bytes(&bytes).map_err(|error| error.to_string())?;
    assert!(rest.is_empty(), "all of it is read");
    Ok(read)
}

fn json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// The error for a JSON text, without the place that serde_json adds.
#[track_caller]
fn mistake<T: DeserializeOwned>(text: &str) -> String {
    let error = json::<T>(text).err().expect("it is wrong");
    match error.rfind(" at line ") {
        Some(end) => error[..end].to_owned(),
        None => error,
    }
}
