//! The generic query's JSON texts, for workflows: a closed list of fields and operators, all else is refused by name.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;
use verdigraph_core::Error;

use crate::extract;

/// Relations that views always fill in.
const RELATIONS: [&str; 5] = ["user", "thumbnails", "cover", "likes", "workflowTags"];

/// `options` of the generic query.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Options {
    pub sort: Option<String>,
    pub limit: Option<i64>,
    pub cursor: Option<String>,
}

impl Options {
    pub fn read(text: Option<&str>) -> Result<Self, Error> {
        text.map_or_else(|| Ok(Self::default()), |text| read("options", text))
    }
}

/// What the admins' list filters by.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Flags {
    pub is_private: Option<bool>,
    pub is_nsfw: Option<bool>,
}

/// The admins' filter.
pub(super) fn flags(text: Option<&str>) -> Result<Flags, Error> {
    text.map_or_else(|| Ok(Flags::default()), |text| read("filter", text))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ById {
    #[serde(rename = "_id")]
    id: OneOrSeveral,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrSeveral {
    One(Uuid),
    Several {
        #[serde(rename = "$in")]
        ids: Vec<Uuid>,
    },
}

/// The ids that a filter names; `None` without a filter.
pub(super) fn ids(text: Option<&str>) -> Result<Option<Vec<Uuid>>, Error> {
    let Some(text) = text else { return Ok(None) };
    let ById { id } = read("filter", text)?;
    Ok(Some(match id {
        OneOrSeveral::One(id) => vec![id],
        OneOrSeveral::Several { ids } => ids,
    }))
}

/// Refuses relations that there are not: `["user"]`, `[{"path": "user", "select": …}]`, or words.
pub(super) fn check_populate(text: Option<&str>) -> Result<(), Error> {
    let Some(text) = text else { return Ok(()) };
    let value: Value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let names: Vec<&str> = match &value {
        Value::String(words) => words.split([' ', ',']).filter(|word| !word.is_empty()).collect(),
        Value::Array(items) => items.iter().map(name_of).collect::<Option<_>>().ok_or_else(no_relation)?,
        other => vec![name_of(other).ok_or_else(no_relation)?],
    };
    if names.iter().all(|name| RELATIONS.contains(name)) { Ok(()) } else { Err(no_relation()) }
}

fn name_of(item: &Value) -> Option<&str> {
    item.as_str().or_else(|| item.get("path")?.as_str())
}

fn no_relation() -> Error {
    Error::invalid("populate", format!("may name {}", RELATIONS.join(", ")))
}

/// Reads a JSON text of the query; a fault names the parameter it stands in.
fn read<T: DeserializeOwned>(parameter: &str, text: &str) -> Result<T, Error> {
    extract::parse(text.as_bytes()).map_err(|error| match error {
        Error::Invalid { field, message } if field == "body" => Error::invalid(parameter, message),
        Error::Invalid { field, message } => Error::invalid(format!("{parameter}.{field}"), message),
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_are_filtered_by() {
        let id = Uuid::now_v7();
        assert_eq!(ids(Some(&format!(r#"{{"_id": "{id}"}}"#))).ok().flatten(), Some(vec![id]));
        assert_eq!(ids(Some(&format!(r#"{{"_id": {{"$in": ["{id}"]}}}}"#))).ok().flatten(), Some(vec![id]));
        assert_eq!(ids(None).ok().flatten(), None);
        for wrong in [r#"{"name": "x"}"#, r#"{"_id": {"$gt": 1}}"#, r#"{"_id": "x"}"#, "{}", "x", r#"{"$where": "1"}"#]
        {
            match ids(Some(wrong)) {
                Err(Error::Invalid { field, .. }) => assert!(field.starts_with("filter"), "{wrong}: {field}"),
                other => panic!("{wrong}: {other:?}"),
            }
        }
    }

    #[test]
    fn only_known_relations_and_options_are_taken() {
        for good in ["user cover", r#"["likes"]"#, r#"[{"path": "user", "select": "name profile"}]"#, r#""user""#] {
            assert!(check_populate(Some(good)).is_ok(), "{good}");
        }
        for wrong in ["password", r#"["sessions"]"#, r#"[{"path": "apiKey"}]"#, "[1]", "{}"] {
            assert!(check_populate(Some(wrong)).is_err(), "{wrong}");
        }
        assert!(Options::read(Some(r#"{"skip": 1}"#)).is_err());
        assert_eq!(Options::read(Some(r#"{"limit": 5}"#)).ok().and_then(|options| options.limit), Some(5));
        assert!(flags(Some(r#"{"isPrivate": "yes"}"#)).is_err());
    }
}
