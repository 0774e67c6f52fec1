//! Names with configurations, as version 3 has them.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};
use serde_json::{Map, Value};

/// A name alone, or an object that has one.
#[derive(serde::Deserialize)]
#[serde(untagged, expecting = "expected a name, or an object with a `name`")]
pub(super) enum Name {
    Alone(String),
    Object {
        name: String,
        #[serde(default)]
        configuration: Map<String, Value>,
    },
}

/// A name and a configuration: a variant of an enumeration and its fields.
pub(super) struct Named<T> {
    pub(super) name: String,
    pub(super) is: T,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let (name, configuration) = match Name::deserialize(json)? {
            Name::Alone(name) => (name, Map::new()),
            Name::Object {
                name,
                configuration,
            } => (name, configuration),
        };
        let variant = Map::from_iter([(name.clone(), configuration.into())]);
        match serde_json::from_value(variant.into()) {
            Ok(is) => Ok(Self { name, is }),
            Err(error) => Err(D::Error::custom(format_args!("`{name}`: {error}"))),
        }
    }
}
