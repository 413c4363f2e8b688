//! The generic calls of workflow tags, which are public.

use std::collections::HashMap;

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::ids::WorkflowTagId;
use verdigraph_core::list;
use verdigraph_core::workflows::{self, TagFilter, TagOrder};
use verdigraph_core::{Core, Error};

use super::workflow_tags;
use crate::caller::Caller;
use crate::error::Result;
use crate::generic::filter::{Ids, present};
use crate::generic::options::Options;
use crate::generic::stats::StatsQuery;
use crate::generic::{self, FilterQuery, ListQuery, relations};
use crate::openapi::{self, OpenApi};
use crate::query::Query;
use crate::views::Cursor;
use crate::views::resources::{ResourceCountView, StatsView};
use crate::views::workflow_tags::{WorkflowTagView, tree};

#[derive(OpenApi)]
#[openapi(paths(list, list_public, count, count_public, stats, stats_public, find, find_public))]
pub struct Api;

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

/// Relations, which views always contain.
const RELATIONS: [&str; 2] = ["parentTag", "childrenTags"];

/// Filter of tags.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WorkflowTagFilter {
    #[serde(rename = "_id")]
    id: Option<Ids>,
    depth: Option<i16>,
    /// `null` for tags without a parent.
    #[serde(default, deserialize_with = "present")]
    parent_tag: Option<Option<WorkflowTagId>>,
}

impl From<WorkflowTagFilter> for TagFilter {
    fn from(filter: WorkflowTagFilter) -> Self {
        Self { ids: filter.id.map(Vec::from), depth: filter.depth, parent: filter.parent_tag }
    }
}

/// All tags with their parents and children, in the admins' order
///
/// Filters may contain `_id`, `depth` and `parentTag` (an id, or `null`). `options` can sort by `createdAt`, in either
/// direction. All tags are returned at once, unless `limit` is set.
#[openapi::path(get, path = "/api/public/workflow-tag", tag = "workflows", params(ListQuery),
    responses((status = 200, body = Cursor<WorkflowTagView>)))]
async fn list_public(core: Data<Core>, query: Query<ListQuery>) -> Result<Json<Cursor<WorkflowTagView>>> {
    relations::check(query.populate.as_deref(), &RELATIONS)?;
    let options = Options::read(query.options.as_deref())?;
    let filter: WorkflowTagFilter = generic::filter(query.filter.as_deref())?;
    let limit = options.limit.map_or(Ok(i64::MAX), |_| options.limit())?;
    let sort = options.order()?.unwrap_or_default();
    let page = workflows::filtered_tags(&core, options.query(&filter.into(), sort, limit)).await?;
    let mut views = in_tree(&core).await?;
    let items = page.items.iter().filter_map(|tag| views.remove(&tag.id.0)).collect();
    Ok(Json(Cursor { items, next_cursor: page.next_cursor }))
}

/// All tags with their parents and children, in the admins' order
#[openapi::path(get, path = "/api/general/workflow-tag", tag = "workflows", params(ListQuery),
    responses((status = 200, body = Cursor<WorkflowTagView>)))]
async fn list(core: Data<Core>, _: Caller, query: Query<ListQuery>) -> Result<Json<Cursor<WorkflowTagView>>> {
    list_public(core, query).await
}

/// Number of tags that match a filter
#[openapi::path(get, path = "/api/public/workflow-tag/count", tag = "workflows", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count_public(core: Data<Core>, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    let filter: WorkflowTagFilter = generic::filter(query.filter.as_deref())?;
    let filter = TagFilter::from(filter);
    let all = list::ListQuery::at(&filter, None, i64::MAX).sorted(TagOrder::Ranked);
    let found = workflows::filtered_tags(&core, all).await?;
    Ok(Json(i64::try_from(found.items.len()).unwrap_or(i64::MAX).into()))
}

/// Number of tags that match a filter
#[openapi::path(get, path = "/api/general/workflow-tag/count", tag = "workflows", params(FilterQuery),
    responses((status = 200, body = ResourceCountView)))]
async fn count(core: Data<Core>, _: Caller, query: Query<FilterQuery>) -> Result<Json<ResourceCountView>> {
    count_public(core, query).await
}

/// Number of tags created over time, for admins
#[openapi::path(get, path = "/api/general/workflow-tag/stats", tag = "workflows", params(StatsQuery),
    responses((status = 200, body = StatsView), (status = 403)))]
async fn stats(core: Data<Core>, caller: Caller, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(workflows::tag_counts(&core, &caller, &periods).await?.into()))
}

/// Number of tags created over time
#[openapi::path(get, path = "/api/public/workflow-tag/stats", tag = "workflows", params(StatsQuery),
    responses((status = 200, body = StatsView)))]
async fn stats_public(core: Data<Core>, query: Query<StatsQuery>) -> Result<Json<StatsView>> {
    let periods = query.periods(core.clock.now())?;
    Ok(Json(workflows::public_tag_counts(&core, &periods).await?.into()))
}

/// One tag with its parent and children
#[openapi::path(get, path = "/api/public/workflow-tag/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 200, body = WorkflowTagView)))]
async fn find_public(core: Data<Core>, id: Path<Uuid>) -> Result<Json<WorkflowTagView>> {
    Ok(Json(in_tree(&core).await?.remove(&id).ok_or(Error::NotFound { what: "workflow tag" })?))
}

/// One tag with its parent and children
#[openapi::path(get, path = "/api/general/workflow-tag/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 200, body = WorkflowTagView)))]
async fn find(core: Data<Core>, _: Caller, id: Path<Uuid>) -> Result<Json<WorkflowTagView>> {
    find_public(core, id).await
}

/// All tags with their parents and children, by id.
async fn in_tree(core: &Core) -> Result<HashMap<Uuid, WorkflowTagView>> {
    Ok(tree(workflows::tags(core).await?).into_iter().map(|tag| (tag.id, tag)).collect())
}
