//! The generic calls of notifications: the caller's box, by filters.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::ids::{NotificationId, OutputAssetId, WorkflowId};
use verdigraph_core::notifications::{self, NotificationKind};
use verdigraph_core::{Core, Error};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::{Exists, Ids, Range, present};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::openapi::{self, OpenApi, ToSchema};
use crate::populate::notifications as views;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::notifications::{CheckedView, NotificationView};
use crate::views::resources::{DeletedView, ResourceCountView, StatsView};

#[derive(OpenApi)]
#[openapi(paths(list, count, stats, find, check, check_several, delete, delete_several))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    // Names before ids: the first match wins.
    config
        .service(web::resource("/general/notification").get(list).patch(check_several).delete(delete_several))
        .service(web::resource("/general/notification/count").get(count))
        .service(web::resource("/general/notification/stats").get(stats))
        .service(web::resource("/general/notification/{id}").get(find).patch(check).delete(delete));
}

/// Relations, which views always contain.
const RELATIONS: [&str; 2] = ["user", "outputAsset"];

/// Filter of notifications.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NotificationFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    #[serde(rename = "type")]
    kind: Option<String>,
    workflow: Option<WorkflowId>,
    output_asset: Option<OutputAssetId>,
    /// `null` for unread ones.
    #[serde(default, deserialize_with = "present")]
    checked_at: Option<Option<Exists>>,
    #[serde(default)]
    created_at: Range,
}

impl NotificationFilter {
    fn conditions(self) -> std::result::Result<notifications::NotificationFilter, Error> {
        let kind = match self.kind.as_deref() {
            None | Some("ALL") => None,
            Some(word) => Some(word.parse::<NotificationKind>().map_err(|error| match error {
                Error::Invalid { field, message } => Error::invalid(format!("filter.{field}"), message),
                other => other,
            })?),
        };
        Ok(notifications::NotificationFilter {
            ids: self.id.map(Vec::from),
            kind,
            workflow: self.workflow,
            output_asset: self.output_asset,
            is_checked: self.checked_at.map(|checked| checked.is_some_and(|checked| checked.exists)),
            created: self.created_at.into(),
        })
    }
}

/// Notifications of the caller's box that match a filter, by age
///
/// Filters may contain `_id`, `type`, `workflow`, `outputAsset`, `checkedAt` (`null` or `{"$exists": true}`) and a
/// range of `createdAt`. Sorted by `createdAt`, in either direction.
#[openapi::path(get, path = "/api/general/notification", tag = "notifications", params(ListQuery),
    responses((status = 200, body = Cursor<NotificationView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<NotificationView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let filter: NotificationFilter = generic::filter(query.filter.as_deref())?;
    let limit = options.limit_of(filter.id.as_ref().map(|ids| ids.0.len()))?;
    let sort = options.order()?.unwrap_or_default();
    let filter = filter.conditions()?;
    let page = notifications::filtered(&core, &caller, options.query(&filter, sort, limit)).await?;
    Ok(Json(Cursor { items: views(&core, &caller, page.items).await?, next_cursor: page.next_cursor }))
}

/// Number of notifications of the caller's box that match a filter
#[openapi::path(get, path = "/api/general/notification/count", tag = "notifications", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let filter: NotificationFilter = generic::filter(query.filter.as_deref())?;
    Ok(Json(notifications::count(&core, &caller, &filter.conditions()?).await?.into()))
}

/// Number of notifications in the caller's box over time
#[openapi::path(get, path = "/api/general/notification/stats", tag = "notifications", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(notifications::counts(&core, &caller, &periods).await?.into()))
}

/// One notification of the caller's box
#[openapi::path(get, path = "/api/general/notification/{id}", tag = "notifications", params(("id" = Uuid, Path)),
    responses((status = 200, body = NotificationView)))]
async fn find(core: Data<Core>, caller: Caller, id: Path<NotificationId>) -> Result<Json<NotificationView>> {
    Ok(Json(view(&core, &caller, *id).await?))
}

async fn view(core: &Core, caller: &Caller, id: NotificationId) -> Result<NotificationView> {
    let found = notifications::find(core, caller, id).await?;
    let view = views(core, caller, vec![found]).await?.pop();
    Ok(view.ok_or(Error::NotFound { what: "notification" })?)
}

/// Marks notifications as read, which cannot be undone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeenBody {
    is_checked: bool,
}

impl SeenBody {
    fn demand(&self) -> std::result::Result<(), Error> {
        match self.is_checked {
            true => Ok(()),
            false => Err(Error::invalid("isChecked", "must be true: a read notification cannot become unread")),
        }
    }
}

/// Marks a notification as read
#[openapi::path(patch, path = "/api/general/notification/{id}", tag = "notifications", params(("id" = Uuid, Path)),
    request_body = SeenBody, responses((status = 200, body = NotificationView)))]
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

/// Marks notifications as read
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Those of other users are skipped.
#[openapi::path(patch, path = "/api/general/notification", tag = "notifications", params(FilterQuery),
    request_body = SeenBody, responses((status = 200, body = CheckedView)))]
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

/// Deletes a notification from the caller's box
///
/// A notice to all users stays in the boxes of others. A deleted notification does not return.
#[openapi::path(delete, path = "/api/general/notification/{id}", tag = "notifications", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<NotificationId>) -> Result<HttpResponse> {
    match notifications::delete(&core, &caller, &[*id]).await? {
        0 => Err(Error::NotFound { what: "notification" }.into()),
        _ => Ok(HttpResponse::NoContent().finish()),
    }
}

/// Deletes notifications from the caller's box
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`, at most 100. Deleted ones and those of other users are skipped.
#[openapi::path(delete, path = "/api/general/notification", tag = "notifications", params(FilterQuery),
    responses((status = 200, body = DeletedView)))]
async fn delete_several(core: Data<Core>, caller: Caller, query: Query<FilterQuery>) -> Result<Json<DeletedView>> {
    let ids: Vec<NotificationId> = generic::named(query.filter.as_deref())?;
    Ok(Json(DeletedView { deleted_count: notifications::delete(&core, &caller, &ids).await? }))
}
