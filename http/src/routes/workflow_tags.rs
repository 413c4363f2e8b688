//! Workflow tags, as admins manage them.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::Core;
use verdigraph_core::ids::WorkflowTagId;
use verdigraph_core::workflows::{self, NewTag, TagChanges};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic::filter::present;
use crate::generic::{self, FilterQuery};
use crate::openapi::{self, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::Items;
use crate::views::resources::DeletedView;
use crate::views::workflow_tags::{WorkflowTagCard, WorkflowTagUseView};

#[derive(OpenApi)]
#[openapi(paths(
    uses,
    create,
    update,
    order,
    merge,
    delete,
    create_general,
    update_general,
    delete_general,
    update_several,
    delete_several
))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/admin/workflow-tag").get(uses).post(create))
        .service(web::resource("/admin/workflow-tag/order").put(order))
        .service(web::resource("/admin/workflow-tag/{id}").patch(update).delete(delete))
        .service(web::resource("/admin/workflow-tag/{id}/merge").post(merge));
}

/// All tags in their order, with the number of workflows of each
#[openapi::path(get, path = "/api/admin/workflow-tag", tag = "workflows",
    responses((status = 200, body = Items<WorkflowTagUseView>)))]
async fn uses(core: Data<Core>, caller: Caller) -> Result<Json<Items<WorkflowTagUseView>>> {
    let uses = workflows::tag_uses(&core, &caller).await?;
    let tags = workflows::tags(&core).await?;
    let view = |tag: &workflows::Tag| WorkflowTagUseView::new(tag, uses.get(&tag.id).copied().unwrap_or_default());
    Ok(Json(Items { items: tags.iter().map(view).collect() }))
}

/// A new tag.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTagBody {
    /// 1 to 50 characters.
    #[schema(min_length = 1, max_length = 50)]
    name: String,
    /// In Korean.
    #[schema(min_length = 1, max_length = 50)]
    name_ko: String,
    /// A tag of depth 0; `null` or left out for a root.
    parent_tag: Option<Uuid>,
}

/// Adds a tag as the last child of its parent
#[openapi::path(post, path = "/api/admin/workflow-tag", tag = "workflows", request_body = NewTagBody,
    responses((status = 201, body = WorkflowTagCard), (status = 409, description = "TAG_NAME_TAKEN"),
    (status = 422, description = "TAG_TOO_MANY")))]
async fn create(core: Data<Core>, caller: Caller, Body(body): Body<NewTagBody>) -> Result<HttpResponse> {
    let new = NewTag { name: body.name, name_ko: body.name_ko, parent: body.parent_tag.map(WorkflowTagId) };
    let tag = workflows::create_tag(&core, &caller, new).await?;
    Ok(HttpResponse::Created().json(WorkflowTagCard::from(&tag)))
}

/// Changes to a tag.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TagChangesBody {
    #[schema(min_length = 1, max_length = 50)]
    name: Option<String>,
    #[schema(min_length = 1, max_length = 50)]
    name_ko: Option<String>,
    /// A tag of depth 0; `null` makes it a root.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Uuid>)]
    parent_tag: Option<Option<Uuid>>,
}

impl From<TagChangesBody> for TagChanges {
    fn from(body: TagChangesBody) -> Self {
        let parent = body.parent_tag.map(|parent| parent.map(WorkflowTagId));
        Self { name: body.name, name_ko: body.name_ko, parent }
    }
}

/// Changes a tag's names or parent
#[openapi::path(patch, path = "/api/admin/workflow-tag/{id}", tag = "workflows", request_body = TagChangesBody,
    params(("id" = Uuid, Path)), responses((status = 200, body = WorkflowTagCard),
    (status = 409, description = "TAG_NAME_TAKEN"), (status = 422, description = "TAG_HAS_CHILDREN")))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowTagId>,
    Body(body): Body<TagChangesBody>,
) -> Result<Json<WorkflowTagCard>> {
    let tag = workflows::update_tag(&core, &caller, *id, body.into()).await?;
    Ok(Json(WorkflowTagCard::from(&tag)))
}

/// An order of one parent's tags.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TagOrderBody {
    /// `null` or left out for the roots.
    parent_tag: Option<Uuid>,
    /// Each tag of this parent, once.
    #[schema(max_items = 500)]
    ids: Vec<Uuid>,
}

/// Reorders one parent's tags, or the roots
#[openapi::path(put, path = "/api/admin/workflow-tag/order", tag = "workflows", request_body = TagOrderBody,
    responses((status = 204)))]
async fn order(core: Data<Core>, caller: Caller, Body(body): Body<TagOrderBody>) -> Result<HttpResponse> {
    let ids: Vec<WorkflowTagId> = body.ids.into_iter().map(WorkflowTagId).collect();
    workflows::order_tags(&core, &caller, body.parent_tag.map(WorkflowTagId), &ids).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The remaining tag.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagMergeBody {
    into: Uuid,
}

/// Replaces this tag by another one on all workflows, and deletes it
#[openapi::path(post, path = "/api/admin/workflow-tag/{id}/merge", tag = "workflows", request_body = TagMergeBody,
    params(("id" = Uuid, Path)), responses((status = 200, body = WorkflowTagCard, description = "The one that is left"),
    (status = 409, description = "TAG_NAME_TAKEN"), (status = 422, description = "TAG_HAS_CHILDREN")))]
async fn merge(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowTagId>,
    Body(body): Body<TagMergeBody>,
) -> Result<Json<WorkflowTagCard>> {
    let left = workflows::merge_tags(&core, &caller, *id, WorkflowTagId(body.into)).await?;
    Ok(Json(WorkflowTagCard::from(&left)))
}

/// Deletes an unused tag
#[openapi::path(delete, path = "/api/admin/workflow-tag/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 422, description = "TAG_IN_USE, TAG_HAS_CHILDREN")))]
async fn delete(core: Data<Core>, caller: Caller, id: Path<WorkflowTagId>) -> Result<HttpResponse> {
    workflows::delete_tag(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Adds a tag as the last child of its parent (admins only)
#[openapi::path(post, path = "/api/general/workflow-tag", tag = "workflows", request_body = NewTagBody,
    responses((status = 201, body = WorkflowTagCard), (status = 409, description = "TAG_NAME_TAKEN"),
    (status = 422, description = "TAG_TOO_MANY")))]
pub(super) async fn create_general(core: Data<Core>, caller: Caller, body: Body<NewTagBody>) -> Result<HttpResponse> {
    create(core, caller, body).await
}

/// Changes tags' names or parents, all of them or none (admins only)
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`.
#[openapi::path(patch, path = "/api/general/workflow-tag", tag = "workflows", params(FilterQuery),
    request_body = TagChangesBody, responses((status = 200, body = Items<WorkflowTagCard>), (status = 404),
    (status = 409, description = "TAG_NAME_TAKEN"), (status = 422, description = "TAG_HAS_CHILDREN")))]
pub(super) async fn update_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
    Body(body): Body<TagChangesBody>,
) -> Result<Json<Items<WorkflowTagCard>>> {
    caller.must_be_admin()?.read_only();
    let ids: Vec<WorkflowTagId> = generic::named(query.filter.as_deref())?;
    let tags = workflows::update_tags(&core, &caller, &ids, body.into()).await?;
    Ok(Json(Items { items: tags.iter().map(WorkflowTagCard::from).collect() }))
}

/// Deletes unused tags, all of them or none (admins only)
///
/// The filter names them: `{"_id": {"$in": ["…"]}}`. Deleted tags are skipped.
#[openapi::path(delete, path = "/api/general/workflow-tag", tag = "workflows", params(FilterQuery),
    responses((status = 200, body = DeletedView), (status = 422, description = "TAG_IN_USE, TAG_HAS_CHILDREN")))]
pub(super) async fn delete_several(
    core: Data<Core>,
    caller: Caller,
    query: Query<FilterQuery>,
) -> Result<Json<DeletedView>> {
    caller.must_be_admin()?.read_only();
    let ids: Vec<WorkflowTagId> = generic::named(query.filter.as_deref())?;
    let deleted_count = workflows::delete_tags(&core, &caller, &ids).await?;
    Ok(Json(DeletedView { deleted_count }))
}

/// Changes a tag's names or parent (admins only)
#[openapi::path(patch, path = "/api/general/workflow-tag/{id}", tag = "workflows", request_body = TagChangesBody,
    params(("id" = Uuid, Path)), responses((status = 200, body = WorkflowTagCard),
    (status = 409, description = "TAG_NAME_TAKEN"), (status = 422, description = "TAG_HAS_CHILDREN")))]
pub(super) async fn update_general(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowTagId>,
    body: Body<TagChangesBody>,
) -> Result<Json<WorkflowTagCard>> {
    update(core, caller, id, body).await
}

/// Deletes an unused tag (admins only)
#[openapi::path(delete, path = "/api/general/workflow-tag/{id}", tag = "workflows", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 422, description = "TAG_IN_USE, TAG_HAS_CHILDREN")))]
pub(super) async fn delete_general(core: Data<Core>, caller: Caller, id: Path<WorkflowTagId>) -> Result<HttpResponse> {
    delete(core, caller, id).await
}
