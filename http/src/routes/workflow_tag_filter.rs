//! The generic calls of workflow tags, which everybody may read.

use std::collections::HashMap;

use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::WorkflowTagId;
use verdigraph_core::workflows::{self, TagFilter, TagsAsked};
use verdigraph_core::{Core, Error};

use super::workflow_tags;
use crate::caller::Caller;
use crate::described::{self, OpenApi};
use crate::error::{ErrorBody, Result};
use crate::generic::filter::{Ids, present};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::views::Cursor;
use crate::views::resources::{ResourceCountView, StatsView};
use crate::views::workflow_tags::{WorkflowTagView, tree};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, list_public, count, count_public, stats, stats_public, find, find_public))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    // Names before ids: the first match wins.
    config
        .service(
            web::resource("/general/workflow-tag")
                .get(list)
                .post(workflow_tags::create_general)
                .patch(workflow_tags::update_several)
                .delete(workflow_tags::delete_several),
        )
        .service(web::resource("/public/workflow-tag").get(list_public))
        .service(web::resource("/general/workflow-tag/count").get(count))
        .service(web::resource("/public/workflow-tag/count").get(count_public))
        .service(web::resource("/general/workflow-tag/stats").get(stats))
        .service(web::resource("/public/workflow-tag/stats").get(stats_public))
        .service(
            web::resource("/general/workflow-tag/{id}")
                .get(find)
                .patch(workflow_tags::update_general)
                .delete(workflow_tags::delete_general),
        )
        .service(web::resource("/public/workflow-tag/{id}").get(find_public));
}

/// Relations that views always fill in.
const RELATIONS: [&str; 2] = ["parentTag", "childrenTags"];

/// What a filter of tags may say.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    depth: Option<i16>,
    /// `null` for tags without a parent.
    #[serde(default, deserialize_with = "present")]
    parent_tag: Option<Option<WorkflowTagId>>,
}

impl From<Wanted> for TagFilter {
    fn from(said: Wanted) -> Self {
        Self { ids: said.id.map(Vec::from), depth: said.depth, parent: said.parent_tag }
    }
}

/// All tags, with their parents and children, in the order of the admins
///
/// Filters may say `_id`, `depth` and `parentTag` (an id, or `null`). Sorted by `createdAt`, either way, where `options`
/// ask for it. All of them come at once, unless a `limit` is set.
#[described::path(get, path = "/api/public/workflow-tag", tag = "workflows", params(ListQuery), responses(
    (status = 200, body = Cursor<WorkflowTagView>), (status = 400, body = ErrorBody)
))]
async fn list_public(core: Data<Core>, query: Query<ListQuery>) -> Result<Json<Cursor<WorkflowTagView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let said: Wanted = generic::filter(query.filter.as_deref())?;
    let limit = options.limit.is_some().then(|| options.limit()).transpose()?;
    let order = options.order()?.unwrap_or_default();
    let asked = TagsAsked { order, cursor: options.cursor.as_deref(), skip: options.skip(), limit };
    let found = workflows::tags_found(&core, &said.into(), asked).await?;
    let mut views = in_tree(&core).await?;
    let items = found.items.iter().filter_map(|tag| views.remove(&tag.id.0)).collect();
    Ok(Json(Cursor { items, next_cursor: found.next }))
}

/// All tags, with their parents and children, in the order of the admins
#[described::path(get, path = "/api/general/workflow-tag", tag = "workflows", params(ListQuery), responses(
    (status = 200, body = Cursor<WorkflowTagView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn list(core: Data<Core>, _: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<WorkflowTagView>>> {
    list_public(core, query).await
}

/// How many tags a filter finds
#[described::path(get, path = "/api/public/workflow-tag/count", tag = "workflows", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody)
))]
async fn count_public(core: Data<Core>, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let said: Wanted = generic::filter(query.filter.as_deref())?;
    let found = workflows::tags_found(&core, &said.into(), TagsAsked::default()).await?;
    Ok(Json(i64::try_from(found.items.len()).unwrap_or(i64::MAX).into()))
}

/// How many tags a filter finds
#[described::path(get, path = "/api/general/workflow-tag/count", tag = "workflows", params(FilterQuery), responses(
    (status = 200, body = ResourceCountView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody)
))]
async fn count(core: Data<Core>, _: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    count_public(core, query).await
}

/// How many tags were made over time, for admins
#[described::path(get, path = "/api/general/workflow-tag/stats", tag = "workflows", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody)
))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(workflows::tag_counts(&core, &caller, &periods).await?.into()))
}

/// How many tags were made over time
#[described::path(get, path = "/api/public/workflow-tag/stats", tag = "workflows", params(StatsQuery), responses(
    (status = 200, body = StatsView), (status = 400, body = ErrorBody)
))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(workflows::public_tag_counts(&core, &periods).await?.into()))
}

/// One tag, with its parent and its children
#[described::path(get, path = "/api/public/workflow-tag/{id}", tag = "workflows", params(("id" = Uuid, Path)), responses(
    (status = 200, body = WorkflowTagView), (status = 404, body = ErrorBody)
))]
async fn find_public(core: Data<Core>, id: Path<Uuid>) -> Result<Json<WorkflowTagView>> {
    Ok(Json(in_tree(&core).await?.remove(&id).ok_or(Error::NotFound { what: "workflow tag" })?))
}

/// One tag, with its parent and its children
#[described::path(get, path = "/api/general/workflow-tag/{id}", tag = "workflows", params(("id" = Uuid, Path)), responses(
    (status = 200, body = WorkflowTagView), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)
))]
async fn find(core: Data<Core>, _: Caller, id: Path<Uuid>) -> Result<Json<WorkflowTagView>> {
    find_public(core, id).await
}

/// All tags with their parents and children, by id.
async fn in_tree(core: &Core) -> Result<HashMap<Uuid, WorkflowTagView>> {
    Ok(tree(workflows::tags(core).await?).into_iter().map(|tag| (tag.id, tag)).collect())
}
