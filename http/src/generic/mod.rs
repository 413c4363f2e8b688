//! The generic calls of a resource, with one grammar of queries.
//!
//! - `GET {resource}/?filter&populate&options`, `GET {resource}/count?filter`, `GET
//!   {resource}/stats?startDate&endDate&groupBy`, and for some `PATCH {resource}/?filter` and `DELETE {resource}?filter`.
//!   `filter`, `populate` and `options` are JSON texts of at most [`MAX_TEXT`] bytes each.
//! - A filter is an object with a closed list of keys for each resource: a struct with `deny_unknown_fields` whose
//!   fields have the types of [`filter`]. A condition is a value (`{"isPrivate": true}`), ids (`"…"` or `{"$in": ["…"]}`,
//!   at most 500), a time range (`{"$gte": …, "$lt": …}`; also `$gt`, `$lte`), or `{"$exists": true}`. All conditions
//!   must hold; there is no `$or`, no `$where`, no text search, and no deeper nesting.
//! - Results are limited to what the caller may see, which the rooms of the core decide.
//! - `populate` names relations of a closed list, as words, texts or `{"path": …, "select": …}`. Views contain all of
//!   their relations anyway, so it changes nothing; unknown names are refused.
//! - `options` has `sort` (a word of the resource, or `{"field": -1}`), `limit` (1 to 100), `cursor`, and `skip` (up to
//!   10,000; a list read by its cursor costs the same at every depth).
//! - Anything else is refused with 400 `VALIDATION_FAILED`, and the detail names the place: `filter.name`,
//!   `filter._id.$regex`, `options.skip`.

pub mod filter;
pub mod options;
pub mod relations;
pub mod stats;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use verdigraph_core::Error;

use crate::extract;
use crate::openapi::IntoParams;

/// Most bytes of a filter, a `populate` or the options: room for 500 ids, and for all three in the 64 KiB of an
/// address.
pub const MAX_TEXT: usize = 20 << 10;

/// The query of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// The condition as a JSON text: `{"_id": {"$in": ["…"]}}`. Items that the caller may not see are left out.
    #[param(max_length = 20_480)]
    pub filter: Option<String>,
    /// Relations to fill in, as a JSON text. All of them always are; unknown names are refused.
    #[param(max_length = 20_480)]
    pub populate: Option<String>,
    /// `{"sort": "-createdAt", "limit": 20, "skip": 0, "cursor": "…"}`, as a JSON text.
    #[param(max_length = 20_480)]
    pub options: Option<String>,
}

/// The query of a count, and of changes to several items.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FilterQuery {
    /// The condition as a JSON text: `{"_id": {"$in": ["…"]}}`.
    #[param(max_length = 20_480)]
    pub filter: Option<String>,
}

/// A filter that names ids, for calls that change items.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    #[serde(rename = "_id")]
    id: filter::Ids,
}

/// Parses a filter; a missing one has no conditions.
pub fn filter<T: DeserializeOwned + Default>(text: Option<&str>) -> Result<T, Error> {
    text.map_or_else(|| Ok(T::default()), |text| read("filter", text))
}

/// The ids of a call that changes items: its filter must name them, and nothing else.
pub fn named<Id: From<uuid::Uuid>>(text: Option<&str>) -> Result<Vec<Id>, Error> {
    let text = text.ok_or_else(|| Error::invalid("filter", "must name ids: {\"_id\": {\"$in\": […]}}"))?;
    let Named { id } = read("filter", text)?;
    Ok(id.into())
}

/// Parses a JSON text of the query; an error names its parameter.
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
