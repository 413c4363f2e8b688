//! Layers of settings; each is checked against the types of the defaults.

use std::path::Path;

use secrecy::SecretString;
use serde::{Deserialize, Deserializer};
use toml::{Table, Value};
use uuid::Uuid;

use super::environment::Environment;
use super::error::SettingsError;

const DEFAULTS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../config/verdigraph.toml"));

pub(super) fn defaults() -> Result<Table, SettingsError> {
    DEFAULTS.parse().map_err(|error| SettingsError(format!("built-in verdigraph.toml: {error}")))
}

pub(super) fn read(path: &Path) -> Result<String, SettingsError> {
    std::fs::read_to_string(path)
        .map_err(|error| SettingsError(format!("cannot read the file {}: {error}", path.display())))
}

/// Applies a file to the table.
pub(super) fn overlay_file(table: &mut Table, path: &Path) -> Result<(), SettingsError> {
    let text = read(path)?;
    let own: Table = text.parse().map_err(|error| SettingsError(format!("{}: {error}", path.display())))?;
    for (section, keys) in own {
        let place = |what: String| SettingsError(format!("{what} (in {})", path.display()));
        let Some(Value::Table(known)) = table.get_mut(&section) else {
            return Err(place(format!("unknown section `{section}`")));
        };
        let Value::Table(keys) = keys else {
            return Err(place(format!("`{section}` must be a section, found {}", keys.type_str())));
        };
        for (key, value) in keys {
            let Some(default) = known.get_mut(&key) else {
                return Err(place(format!("unknown key `{section}.{key}`")));
            };
            if default.type_str() != value.type_str() {
                return Err(place(format!(
                    "{section}.{key}: must be {}, found {}",
                    default.type_str(),
                    value.type_str()
                )));
            }
            *default = value;
        }
    }
    Ok(())
}

/// Applies environment variables to the table. A variable gets the default's type.
pub(super) fn overlay_environment(table: &mut Table, environment: &Environment) -> Result<(), SettingsError> {
    for (section, keys) in table.iter_mut() {
        let Value::Table(keys) = keys else { continue };
        for (key, value) in keys.iter_mut() {
            if let Some((name, text)) = environment.setting(section, key) {
                let given = parse_like(value, text).ok_or_else(|| {
                    SettingsError(format!("{name} ({section}.{key}): must be {}, found `{text}`", value.type_str()))
                })?;
                *value = given;
            }
        }
    }
    Ok(())
}

fn parse_like(default: &Value, text: &str) -> Option<Value> {
    match default {
        Value::String(_) => Some(Value::String(text.to_owned())),
        Value::Integer(_) => text.trim().parse().ok().map(Value::Integer),
        Value::Float(_) => text.trim().parse().ok().map(Value::Float),
        Value::Boolean(_) => text.trim().parse().ok().map(Value::Boolean),
        _ => {
            let table: Table = format!("value = {text}").parse().ok()?;
            table.get("value").filter(|value| value.same_type(default)).cloned()
        }
    }
}

/// Deserializes the table; an error names section and key.
pub(super) fn typed<T: for<'de> Deserialize<'de>>(table: Table) -> Result<T, SettingsError> {
    // The rendered text lets the parser report the position, and thereby the key.
    let text = toml_text(&table);
    toml::from_str(&text).map_err(|error| {
        let line = error.span().and_then(|span| text.get(..span.end)).and_then(|before| before.lines().last());
        let section = error
            .span()
            .and_then(|span| text.get(..span.start))
            .and_then(|before| before.lines().rev().find_map(|line| line.strip_prefix('[')?.strip_suffix(']')));
        let key = line.and_then(|line| line.split(" = ").next()).unwrap_or("?");
        SettingsError(format!("{}.{key}: {}", section.unwrap_or("?"), error.message()))
    })
}

fn toml_text(table: &Table) -> String {
    let mut text = String::new();
    for (section, keys) in table {
        text.push_str(&format!("[{section}]\n"));
        if let Value::Table(keys) = keys {
            for (key, value) in keys {
                text.push_str(&format!("{key} = {value}\n"));
            }
        }
    }
    text
}

/// An empty string means "not set".
pub(super) fn optional<'de, D: Deserializer<'de>, T: From<String>>(source: D) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(source)?;
    Ok((!text.is_empty()).then(|| T::from(text)))
}

/// Like [`optional`], for an id.
pub(super) fn optional_id<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Uuid>, D::Error> {
    let text = String::deserialize(source)?;
    let id = (!text.is_empty()).then(|| Uuid::parse_str(&text)).transpose();
    id.map_err(|_| serde::de::Error::custom(format!("{text:?} is no id of a mini app")))
}

/// Like [`optional`], for a secret.
pub(super) fn optional_secret<'de, D: Deserializer<'de>>(source: D) -> Result<Option<SecretString>, D::Error> {
    optional::<_, String>(source).map(|text| text.map(SecretString::from))
}
