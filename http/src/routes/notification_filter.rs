//! The generic calls of notifications: everybody's own box, by filters.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::filter::Asked;
use verdigraph_core::ids::{NotificationId, OutputAssetId, WorkflowId};
use verdigraph_core::notifications::{self, Filter, Kind};
use verdigraph_core::{Core, Error};

use crate::caller::Caller;
use crate::described::{self, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::generic::filter::{Exists, Ids, Range, present};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::populate::notifications as views;
use crate::views::Cursor;
use crate::views::notifications::{CheckedView, NotificationView};
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, count, stats, find, check, check_several, delete, delete_several))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    // Names before ids: the first match wins.
    config
        .service(web::resource("/general/notification").get(list).patch(check_several).delete(delete_several))
        .service(web::resource("/general/notification/count").get(count))
        .service(web::resource("/general/notification/stats").get(stats))
        .service(web::resource("/general/notification/{id}").get(find).patch(check).delete(delete));
}

/// Relations that views always fill in.
const RELATIONS: [&str; 2] = ["user", "outputAsset"];

/// What a filter of notifications may say.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NotificationFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    #[serde(rename = "type")]
    kind: Option<String>,
    workflow: Option<WorkflowId>,
    output_asset: Option<OutputAssetId>,
    /// `null` for those that were not seen yet.
    #[serde(default, deserialize_with = "present")]
    checked_at: Option<Option<Exists>>,
    #[serde(default)]
    created_at: Range,
}

impl NotificationFilter {
    fn wanted(self) -> std::result::Result<Filter, Error> {
        let kind = match self.kind.as_deref() {
            None | Some("ALL") => None,
            Some(word) => Some(word.parse::<Kind>().map_err(|error| match error {
                Error::Invalid { field, message } => Error::invalid(format!("filter.{field}"), message),
                other => other,
            })?),
        };
        Ok(Filter {
            ids: self.id.map(Vec::from),
            kind,
            workflow: self.workflow,
            output_asset: self.output_asset,
            is_checked: self.checked_at.map(|checked| checked.is_some_and(|checked| checked.exists)),
            created: self.created_at.into(),
        })
    }
}

/// Notifications of the caller's box that a filter finds, by age
///
/// Filters may say `_id`, `type`, `workflow`, `outputAsset`, `checkedAt` (`null` or `{"$exists": true}`) and a range of
/// `createdAt`. Sorted by `createdAt`, either way.
#[described::path(get, path = "/api/general/notification", tag = "notifications", params(ListQuery), responses(
    (status = 200, body = Cursor<NotificationView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn list(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<NotificationView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let said: NotificationFilter = generic::filter(query.filter.as_deref())?;
    let limit = options.limit_of(said.id.as_ref().map(|ids| ids.0.len()))?;
    let order = options.order()?.unwrap_or_default();
    let asked = Asked { order, cursor: options.cursor.as_deref(), skip: options.skip(), limit };
    let found = notifications::filtered(&core, &caller, &said.wanted()?, asked).await?;
    Ok(Json(Cursor { items: views(&core, &caller, found.items).await?, next_cursor: found.next }))
}

/// How many notifications of the caller's box a filter finds
#[described::path(get, path = "/api/general/notification/count", tag = "notifications", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let said: NotificationFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(notifications::count(&core, &caller, &said.wanted()?).await?.into()))
}

/// How many notifications came into the caller's box over time
#[described::path(get, path = "/api/general/notification/stats", tag = "notifications", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(notifications::counts(&core, &caller, &periods).await?.into()))
}

/// One notification of the caller's box
#[described::path(get, path = "/api/general/notification/{id}", tag = "notifications", params(("id" = Uuid, Path)),
    responses((status = 200, body = NotificationView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn find(core: Data<Core>, caller: Caller, id: Path<NotificationId>) -> Result<Json<NotificationView>> {
    Ok(Json(view(&core, &caller, *id).await?))
}

async fn view(core: &Core, caller: &Caller, id: NotificationId) -> Result<NotificationView> {
    let found = notifications::find(core, caller, id).await?;
    let view = views(core, caller, vec![found]).await?.pop();
    Ok(view.ok_or(Error::NotFound { what: "notification" })?)
}

/// That notifications were seen, which cannot be taken back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeenBody {
    is_checked: bool,
}

impl SeenBody {
    fn demand(&self) -> std::result::Result<(), Error> {
        match self.is_checked {
            true => Ok(()),
            false => Err(Error::invalid("isChecked", "must be true: what was seen stays seen")),
        }
    }
}

/// Notes that a notification was seen
#[described::path(patch, path = "/api/general/notification/{id}", tag = "notifications", params(("id" = Uuid, Path)),
    request_body = SeenBody, responses((status = 200, body = NotificationView), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn check(
    core: Data<Core>,
    caller: Caller,
    id: Path<NotificationId>,
    Body(body): Body<SeenBody>,
) -> Result<Json<NotificationView>> {
    body.demand()?;
    notifications::check(&core, &caller, &[*id]).await?;
    Ok(Json(view(&core, &caller, *id).await?))
}

/// Notes that notifications were seen
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Those of others' boxes are passed over.
#[described::path(patch, path = "/api/general/notification", tag = "notifications", params(FilterQuery),
    request_body = SeenBody, responses((status = 200, body = CheckedView), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody)
))]
async fn check_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
    Body(body): Body<SeenBody>,
) -> Result<Json<CheckedView>> {
    body.demand()?;
    let ids: Vec<NotificationId> = generic::named(query.filter.as_deref())?;
    Ok(Json(CheckedView { checked_count: notifications::check(&core, &caller, &ids).await? }))
}

/// Deletes a notification out of the caller's box
///
/// A notice that everybody was told stays in the boxes of others. What was deleted is not told again.
#[described::path(delete, path = "/api/general/notification/{id}", tag = "notifications", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<NotificationId>) -> Result<HttpResponse> {
    match notifications::delete(&core, &caller, &[*id]).await? {
        0 => Err(Error::NotFound { what: "notification" }.into()),
        _ => Ok(HttpResponse::NoContent().finish()),
    }
}

/// Deletes notifications out of the caller's box
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. What is gone already, or in others' boxes, is passed
/// over.
#[described::path(delete, path = "/api/general/notification", tag = "notifications", params(FilterQuery), responses(
    (status = 200, body = DeletedView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn delete_several(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<DeletedView>> {
    let ids: Vec<NotificationId> = generic::named(query.filter.as_deref())?;
    Ok(Json(DeletedView { deleted_count: notifications::delete(&core, &caller, &ids).await? }))
}
