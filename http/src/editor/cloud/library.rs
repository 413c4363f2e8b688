//! Lists of the caller's assets, and of their tags.

use actix_web::HttpRequest;
use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Serialize;
use serde_json::{Map, Value, json};
use verdigraph_core::gallery::{self, LibraryFilter, LibraryOrder, LibraryPlace};
use verdigraph_core::{Core, Error};

use super::asset_view::CloudAsset;
use super::assets::upload;
use crate::addresses::{SignedAddresses, site_address};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract;
use crate::query::Query;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/assets").get(list).post(upload))
        .service(web::resource("/assets/tags/refine").get(refine))
        .service(web::resource("/tags").get(tags));
}

const MOST_ASSETS: i64 = 500;
const USUAL_ASSETS: i64 = 20;
const MOST_TAGS: i64 = 1000;
const USUAL_TAGS: i64 = 100;
/// The deepest page: a library lists no more files than this.
const MOST_SKIPPED: i64 = 20_000;

/// The parameters of a call. Lists come in one parameter with commas, or in several of the same name.
struct Parameters(Vec<(String, String)>);

impl Parameters {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    fn list(&self, name: &str) -> Vec<String> {
        let values = self.0.iter().filter(|(key, _)| key == name).flat_map(|(_, value)| value.split(','));
        values.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
    }

    fn number(&self, name: &'static str, least: i64, most: i64) -> std::result::Result<Option<i64>, Error> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let number = text.parse::<i64>().ok().filter(|number| (least..=most).contains(number));
        let wrong = || Error::invalid(name, format!("must be a whole number from {least} to {most}"));
        number.map(Some).ok_or_else(wrong)
    }

    fn filter(&self) -> std::result::Result<LibraryFilter, Error> {
        let metadata = self.get("metadata_filter").map(|text| extract::parse::<Map<String, Value>>(text.as_bytes()));
        let wrong = |_| Error::invalid("metadata_filter", "must be a JSON object");
        Ok(LibraryFilter {
            include_tags: self.list("include_tags"),
            exclude_tags: self.list("exclude_tags"),
            name: self.get("name_contains").map(str::to_owned),
            metadata: metadata.transpose().map_err(wrong)?.unwrap_or_default(),
        })
    }

    fn place(&self) -> std::result::Result<LibraryPlace, Error> {
        let order = match self.get("sort") {
            None | Some("created_at") => LibraryOrder::Created,
            Some("name") => LibraryOrder::Name,
            // Reads are not recorded.
            Some("updated_at" | "last_access_time") => LibraryOrder::Updated,
            Some("size") => LibraryOrder::Size,
            Some(_) => {
                let words = "must be name, created_at, updated_at, size or last_access_time";
                return Err(Error::invalid("sort", words));
            }
        };
        let is_descending = match self.get("order") {
            None | Some("desc") => true,
            Some("asc") => false,
            Some(_) => return Err(Error::invalid("order", "must be asc or desc")),
        };
        let limit = self.number("limit", 1, MOST_ASSETS)?.unwrap_or(USUAL_ASSETS);
        let offset = self.number("offset", 0, MOST_SKIPPED)?.unwrap_or(0);
        Ok(LibraryPlace { order, is_descending, offset, limit })
    }
}

#[derive(Debug, Serialize)]
struct CloudAssets {
    assets: Vec<CloudAsset>,
    total: i64,
    has_more: bool,
}

/// Public assets, which Comfy Cloud lists beside the caller's, are none here: models are in `experiment/models`.
async fn list(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    query: Query<Vec<(String, String)>>,
) -> Result<Json<CloudAssets>> {
    caller.signed_in()?;
    let parameters = Parameters(query.into_inner());
    let place = parameters.place()?;
    let page = gallery::library(&core, &caller, &parameters.filter()?, place).await?;
    let addresses = SignedAddresses::at(&core, site_address(&core, &request)).await?;
    let has_more = !page.items.is_empty() && place.offset.saturating_add(place.limit) < page.total;
    let assets = page.items.into_iter().map(|item| CloudAsset::new(item, None, &addresses)).collect();
    Ok(Json(CloudAssets { assets, total: page.total, has_more }))
}

/// How many of the assets that match have each tag.
async fn refine(core: Data<Core>, caller: Caller, query: Query<Vec<(String, String)>>) -> Result<Json<Value>> {
    caller.signed_in()?;
    let parameters = Parameters(query.into_inner());
    let limit = parameters.number("limit", 1, MOST_TAGS)?.unwrap_or(USUAL_TAGS);
    let counts = gallery::library_tags(&core, &caller, &parameters.filter()?).await?;
    let counts = counts.into_iter().take(usize::try_from(limit).unwrap_or(usize::MAX));
    let counts: Map<String, Value> = counts.map(|(tag, count)| (tag, json!(count))).collect();
    Ok(Json(json!({ "tag_counts": counts })))
}

/// All tags of the caller's assets, the most frequent first.
async fn tags(core: Data<Core>, caller: Caller, query: Query<Vec<(String, String)>>) -> Result<Json<Value>> {
    caller.signed_in()?;
    let parameters = Parameters(query.into_inner());
    let limit = parameters.number("limit", 1, MOST_TAGS)?.unwrap_or(USUAL_TAGS);
    let offset = parameters.number("offset", 0, MOST_SKIPPED)?.unwrap_or(0);
    let mut counts = gallery::library_tags(&core, &caller, &LibraryFilter::default()).await?;
    if let Some(prefix) = parameters.get("prefix") {
        counts.retain(|(tag, _)| tag.starts_with(prefix));
    }
    let total = counts.len();
    let [offset, limit] = [offset, limit].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let rows = counts.into_iter().skip(offset).take(limit);
    let rows: Vec<Value> = rows.map(|(name, count)| json!({ "name": name, "count": count })).collect();
    let has_more = offset.saturating_add(rows.len()) < total;
    Ok(Json(json!({ "tags": rows, "total": total, "has_more": has_more })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(pairs: &[(&str, &str)]) -> Parameters {
        Parameters(pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn lists_are_read_with_commas_and_repeated() {
        let read = parameters(&[
            ("include_tags", "models, loras"),
            ("include_tags", "x"),
            ("name_contains", ""),
            ("metadata_filter", r#"{"run":7}"#),
        ]);
        let filter = read.filter().expect("a filter");
        assert_eq!(filter.include_tags, ["models", "loras", "x"]);
        assert_eq!((filter.name, json!(filter.metadata)), (None, json!({ "run": 7 })));
        assert!(parameters(&[("metadata_filter", "[]")]).filter().is_err());
    }

    #[test]
    fn page_is_the_newest_unless_another_is_asked() {
        let place = |pairs: &[(&str, &str)]| parameters(pairs).place();
        let first = LibraryPlace { order: LibraryOrder::Created, is_descending: true, offset: 0, limit: 20 };
        assert_eq!(place(&[]).expect("a place"), first);
        let asked = place(&[("sort", "size"), ("order", "asc"), ("limit", "500"), ("offset", "7")]);
        let expected = LibraryPlace { order: LibraryOrder::Size, is_descending: false, offset: 7, limit: 500 };
        assert_eq!(asked.expect("a place"), expected);
        for (name, value) in [("sort", "x"), ("order", "up"), ("limit", "0"), ("limit", "501"), ("offset", "-1")] {
            assert!(place(&[(name, value)]).is_err(), "{name}={value}");
        }
    }
}
