//! The generic calls of a resource: one grammar of queries for all of them.
//!
//! - `GET {resource}/?filter&populate&options`, `GET {resource}/count?filter`, `GET {resource}/stats?startDate&endDate&
//!   groupBy`, and where it makes sense `PATCH {resource}/?filter` and `DELETE {resource}?filter`. The three texts are JSON,
//!   of at most [`MAX_TEXT`] bytes each.
//! - A filter is an object. Its keys are a closed list of each resource: a struct with `deny_unknown_fields` whose fields
//!   have the types of [`filter`]. A condition is a value (`{"isPrivate": true}`), ids (`"…"` or `{"$in": ["…"]}`, at most
//!   500), a range of time (`{"$gte": …, "$lt": …}`; also `$gt`, `$lte`), or `{"$exists": true}`. All conditions
//!   must hold; there is no `$or`, no `$where`, no text search, and nothing nests deeper than this.
//! - What is found is always joined with what the caller may see, which the rooms of the core decide.
//! - `populate` names relations of a closed list, as words, texts or `{"path": …, "select": …}`. Views have all of their
//!   relations filled in anyway, so that it decides nothing, and a name that there is not is refused.
//! - `options` has `sort` (a word of the resource, or `{"field": -1}`), `limit` (1 to 100), `cursor`, and `skip` (up to
//!   10,000; a list that is read with its cursor costs the same at every depth).
//! - Whatever else stands in one of these is refused with 400 `VALIDATION_FAILED`, and the detail names the place:
//!   `filter.name`, `filter._id.$regex`, `options.skip`.

pub mod filter;
pub mod options;
pub mod relations;
pub mod stats;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use verdigraph_core::Error;

use crate::described::IntoParams;
use crate::extract;

/// Bytes that a filter, a `populate` or the options have at most: room for 500 ids, and for all three of them in the 64
/// KiB of an address.
pub const MAX_TEXT: usize = 20 << 10;

/// The query of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// What is wanted, as a JSON text: `{"_id": {"$in": ["…"]}}`. What the asker may not see is missing in the answer.
    #[param(max_length = 20_480)]
    pub filter: Option<String>,
    /// Relations to be filled in, as a JSON text. All of them always are; other names are refused.
    #[param(max_length = 20_480)]
    pub populate: Option<String>,
    /// `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text.
    #[param(max_length = 20_480)]
    pub options: Option<String>,
}

/// The query of a count, and of what is done to several things at once.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FilterQuery {
    /// What is meant, as a JSON text: `{"_id": {"$in": ["…"]}}`.
    #[param(max_length = 20_480)]
    pub filter: Option<String>,
}

/// Things that are named one by one, for what changes them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    #[serde(rename = "_id")]
    id: filter::Ids,
}

/// Reads a filter; without one nothing is asked for.
///
/// # Errors
/// [`Error::Invalid`], which names the place of what is wrong.
pub fn filter<T: DeserializeOwned + Default>(text: Option<&str>) -> Result<T, Error> {
    text.map_or_else(|| Ok(T::default()), |text| read("filter", text))
}

/// The ids of a call that changes things: its filter must name them, and nothing else.
///
/// # Errors
/// [`Error::Invalid`] for any other filter, and for none.
pub fn named<Id: From<uuid::Uuid>>(text: Option<&str>) -> Result<Vec<Id>, Error> {
    let text = text.ok_or_else(|| Error::invalid("filter", "must name what is meant: {\"_id\": {\"$in\": […]}}"))?;
    let Named { id } = read("filter", text)?;
    Ok(id.into())
}

/// Reads a JSON text of the query; a fault names the parameter it stands in.
fn read<T: DeserializeOwned>(parameter: &str, text: &str) -> Result<T, Error> {
    if text.len() > MAX_TEXT {
        return Err(Error::invalid(parameter, format!("is longer than {MAX_TEXT} bytes")));
    }
    extract::parse(text.as_bytes()).map_err(|error| match error {
        Error::Invalid { field, message } if field == "body" => Error::invalid(parameter, message),
        Error::Invalid { field, message } => Error::invalid(format!("{parameter}.{field}"), message),
        other => other,
    })
}

#[cfg(test)]
mod tests;
