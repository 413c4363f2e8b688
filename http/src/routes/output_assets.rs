//! Single outputs in the gallery, and changes to them. Lists and filters are in other files.

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::gallery::Visibility;
use verdigraph_core::ids::OutputAssetId;
use verdigraph_core::workflows::LikeChange;
use verdigraph_core::{Core, Error, assets, gallery, jobs};

use super::gallery_lists::{one_view, views};
use super::{SelectQuery, auth, gallery_filter, gallery_lists, media};
use crate::attachment::attachment;
use crate::caller::{Caller, auth_watch};
use crate::edge::Edge;
use crate::error::Result;
use crate::extract::Body;
use crate::openapi::{self, OpenApi, ToSchema};
use crate::populate::Population;
use crate::query::Query;
use crate::views::Items;
use crate::views::assets::AssetView;
use crate::views::origins::OriginView;
use crate::views::output_assets::{FoundOutputView, LikedView, OutputAssetView, OutputGraphView};
use crate::zip;

#[derive(OpenApi)]
#[openapi(paths(
    find,
    find_public,
    origin,
    origin_public,
    original,
    set_private,
    set_nsfw,
    download,
    like,
    like_named,
    put_like,
    drop_like,
    as_upload,
    as_thumbnail
))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    // Names before ids: the first match wins.
    gallery_lists::configure(config);
    gallery_filter::configure(config);
    config
        .service(web::resource("/general/output-asset/privates").patch(set_private))
        .service(web::resource("/general/output-asset/zip").post(download))
        .service(
            web::resource("/general/output-asset/{id}")
                .get(find)
                .patch(gallery_filter::update)
                .delete(gallery_filter::delete),
        )
        .service(web::resource("/general/output-asset/{id}/nsfw").patch(set_nsfw))
        .service(web::resource("/general/output-asset/{id}/origin").get(origin))
        .service(web::resource("/general/output-asset/{id}/upload").post(as_upload))
        .service(web::resource("/general/output-asset/{id}/thumbnail").post(as_thumbnail))
        .service(web::resource("/general/output-asset/{id}/original").get(original))
        .service(web::resource("/public/output-asset/{id}").get(find_public))
        .service(web::resource("/public/output-asset/{id}/origin").get(origin_public))
        .service(web::resource("/general/output-asset-like").post(like_named))
        .service(web::resource("/general/output-asset-like/{id}").post(like).put(put_like).delete(drop_like));
}

/// One output: published, or the caller's own. Looking at another user's output counts as a view, once a day
///
/// With `select=prompt name` the response is the graph that made it, an `OutputGraphView`. A caller who may see the output
/// may see it, and of a mini app only while its workflow may be seen. That does not count as a view.
#[openapi::path(get, path = "/api/general/output-asset/{id}", tag = "gallery",
    params(("id" = Uuid, Path), SelectQuery), responses((status = 200, body = FoundOutputView)))]
async fn find(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    id: Path<OutputAssetId>,
    query: Query<SelectQuery>,
) -> Result<HttpResponse> {
    if query.is_of_graph()? {
        let made = jobs::output_graph(&core, &caller, *id).await?;
        return Ok(HttpResponse::Ok().json(FoundOutputView::Graph(OutputGraphView::new(id.0, made))));
    }
    let asset = gallery::find(&core, &caller, *id).await?;
    gallery::view(&core, &caller, &auth::origin(&core, &request), &asset).await;
    let whole = Box::new(one_view(&core, &caller, asset).await?);
    Ok(HttpResponse::Ok().json(FoundOutputView::Whole(whole)))
}

/// The worker's original file, with the prompt and the graph that ComfyUI embeds
///
/// Only for the owner of both the output and what ran: their own prompt, or a mini app of their own workflow. All other
/// addresses serve the file without prompt and graph.
#[openapi::path(get, path = "/api/general/output-asset/{id}/original", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 200, body = String, content_type = "*/*", description = "The file, of its own type")))]
async fn original(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<HttpResponse> {
    caller.signed_in()?;
    let (output, file) = jobs::original(&core, &caller, *id).await?;
    let name = output.name.clone().unwrap_or_else(|| format!("{}.{}", *id, output.ending()));
    Ok(HttpResponse::Ok()
        .content_type(output.content_type())
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header((header::CONTENT_DISPOSITION, attachment(&name)))
        .body(media::body(&file)))
}

/// One output, for anyone who may see it
///
/// With `select=prompt name` the answer is an `OutputGraphView`, as in the general call.
#[openapi::path(get, path = "/api/public/output-asset/{id}", tag = "gallery",
    params(("id" = Uuid, Path), SelectQuery), responses((status = 200, body = FoundOutputView)))]
async fn find_public(
    core: Data<Core>,
    caller: Caller,
    request: HttpRequest,
    id: Path<OutputAssetId>,
    query: Query<SelectQuery>,
) -> Result<HttpResponse> {
    find(core, caller, request, id, query).await
}

/// How an output was made: the mini app and its settings, or the usual settings of a raw prompt
///
/// By default a published output shows its settings, including the typed texts; its owner can set `showsOrigin: false`.
/// Others' uploads and workflows that the caller may not see are never shown.
#[openapi::path(get, path = "/api/general/output-asset/{id}/origin", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 200, body = OriginView)))]
async fn origin(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<Json<OriginView>> {
    let found = jobs::origin(&core, &caller, *id).await?;
    let Some(source) = found.source else {
        let (workflow, workflow_api, settings, uploads) = (None, None, Vec::new(), Vec::new());
        return Ok(Json(OriginView { id: id.0, is_told: false, workflow, workflow_api, settings, uploads }));
    };
    let uploads = assets::readable(&core, &caller, &source.uploads()).await?;
    let uploads = uploads.into_values().map(|asset| AssetView::new(asset, core.settings.base_url())).collect();
    let population = Population::of(&core, source.workflow.as_slice()).await?;
    Ok(Json(OriginView {
        id: id.0,
        is_told: true,
        workflow: source.workflow.as_ref().map(|workflow| population.card(workflow)),
        workflow_api: source.app.map(|app| app.0),
        settings: source.settings.into_iter().map(Into::into).collect(),
        uploads,
    }))
}

/// How a published output was made
#[openapi::path(get, path = "/api/public/output-asset/{id}/origin", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 200, body = OriginView)))]
async fn origin_public(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<Json<OriginView>> {
    origin(core, caller, id).await
}

/// Stores a picture as one of the caller's uploads, to use it in a form
#[openapi::path(post, path = "/api/general/output-asset/{id}/upload", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 201, body = AssetView), (status = 415, description = "FILE_NOT_AN_IMAGE"),
    (status = 409, description = "MODERATION_LOCKED")))]
async fn as_upload(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<HttpResponse> {
    let asset = gallery::as_upload(&core, &caller, *id).await?;
    Ok(HttpResponse::Created().json(AssetView::new(asset, core.settings.base_url())))
}

/// Stores one of the caller's own pictures as an upload for the pictures of a workflow
///
/// The upload is as visible as the workflows that show it; the output itself stays as it is.
#[openapi::path(post, path = "/api/general/output-asset/{id}/thumbnail", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 201, body = AssetView), (status = 403, description = "The picture is another user's"),
    (status = 409, description = "MODERATION_LOCKED"), (status = 415, description = "FILE_NOT_AN_IMAGE"),
    (status = 422, description = "NOT_PUBLISHABLE: viewers of the workflow could not see it")))]
async fn as_thumbnail(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<HttpResponse> {
    let asset = gallery::as_thumbnail(&core, &caller, *id).await?;
    Ok(HttpResponse::Created().json(AssetView::new(asset, core.settings.base_url())))
}

/// Outputs to publish or to hide.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrivatesBody {
    #[schema(max_items = 500)]
    ids: Vec<Uuid>,
    is_private: bool,
    /// Whether others see how they were made, including the typed texts; unchanged by default, and initially `true`.
    #[serde(default)]
    shows_origin: Option<bool>,
}

/// Publishes or hides the caller's outputs, all of them or none
///
/// A published output shows everyone how it was made, including the texts typed into the form, unless `showsOrigin` is
/// `false`.
#[openapi::path(patch, path = "/api/general/output-asset/privates", tag = "gallery", request_body = PrivatesBody,
    responses((status = 200, body = Items<OutputAssetView>),
    (status = 403, description = "To hide what was published needs Stealth Mode"), (status = 404),
    (status = 409, description = "MODERATION_LOCKED"),
    (status = 422, description = "NOT_PUBLISHABLE: others could not see one of them")))]
async fn set_private(
    core: Data<Core>,
    caller: Caller,
    Body(body): Body<PrivatesBody>,
) -> Result<Json<Items<OutputAssetView>>> {
    let ids: Vec<OutputAssetId> = body.ids.into_iter().map(OutputAssetId).collect();
    let visibility = Visibility { is_private: body.is_private, shows_origin: body.shows_origin };
    let assets = gallery::set_visibility(&core, &caller, &ids, visibility).await?;
    Ok(Json(Items { items: views(&core, &caller, assets).await? }))
}

/// Whether an output is safe for work.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NsfwBody {
    /// The output's id again, as the specification sends it; ignored.
    #[serde(default)]
    #[expect(dead_code, reason = "the address names the output")]
    id: Option<Uuid>,
    is_nsfw: bool,
}

/// Sets whether an output is safe for work; for admins
#[openapi::path(patch, path = "/api/general/output-asset/{id}/nsfw", tag = "gallery", params(("id" = Uuid, Path)),
    request_body = NsfwBody, responses((status = 200, body = OutputAssetView)))]
async fn set_nsfw(
    core: Data<Core>,
    caller: Caller,
    id: Path<OutputAssetId>,
    Body(body): Body<NsfwBody>,
) -> Result<Json<OutputAssetView>> {
    let marked = gallery::set_nsfw(&core, &caller, &[*id], body.is_nsfw).await?.pop();
    Ok(Json(one_view(&core, &caller, marked.ok_or(Error::NotFound { what: "output asset" })?).await?))
}

/// Likes another user's published output, or removes the like
#[openapi::path(post, path = "/api/general/output-asset-like/{id}", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 200, body = LikedView), (status = 422, description = "LIKE_OWN")))]
async fn like(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<Json<LikedView>> {
    let liked = gallery::toggle_like(&core, &caller, *id).await?;
    Ok(Json(LikedView { is_like: liked.is_liked, like_count: liked.like_count }))
}

/// Likes another user's published output; idempotent
#[openapi::path(put, path = "/api/general/output-asset-like/{id}", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 200, body = LikedView), (status = 422, description = "LIKE_OWN")))]
async fn put_like(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<Json<LikedView>> {
    let liked = gallery::like(&core, &caller, *id, LikeChange::Like).await?;
    Ok(Json(LikedView { is_like: liked.is_liked, like_count: liked.like_count }))
}

/// Removes the like of an output; idempotent
#[openapi::path(delete, path = "/api/general/output-asset-like/{id}", tag = "gallery", params(("id" = Uuid, Path)),
    responses((status = 200, body = LikedView), (status = 422, description = "LIKE_OWN")))]
async fn drop_like(core: Data<Core>, caller: Caller, id: Path<OutputAssetId>) -> Result<Json<LikedView>> {
    let liked = gallery::like(&core, &caller, *id, LikeChange::Unlike).await?;
    Ok(Json(LikedView { is_like: liked.is_liked, like_count: liked.like_count }))
}

/// The output to like.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LikeBody {
    id: Uuid,
}

/// The same, with the id in the body
#[openapi::path(post, path = "/api/general/output-asset-like", tag = "gallery", request_body = LikeBody,
    responses((status = 200, body = LikedView), (status = 404), (status = 422, description = "LIKE_OWN")))]
async fn like_named(core: Data<Core>, caller: Caller, Body(body): Body<LikeBody>) -> Result<Json<LikedView>> {
    like(core, caller, Path::from(OutputAssetId(body.id))).await
}

/// Outputs to download.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ZipBody {
    /// At most 500.
    #[schema(max_items = 500)]
    ids: Vec<Uuid>,
}

/// Several outputs as one ZIP file, streamed while it is made: pictures are named by their time, other files by their
/// worker's file name
#[openapi::path(post, path = "/api/general/output-asset/zip", tag = "gallery", request_body = ZipBody,
    responses((status = 200, content_type = "application/zip"),
    (status = 404, description = "NOT_FOUND: the caller can see none of the outputs")))]
async fn download(
    core: Data<Core>,
    edge: Data<Edge>,
    caller: Caller,
    request: HttpRequest,
    Body(body): Body<ZipBody>,
) -> Result<HttpResponse> {
    let user = caller.signed_in()?;
    let ids: Vec<OutputAssetId> = body.ids.into_iter().map(OutputAssetId).collect();
    let assets = gallery::downloadable(&core, &caller, &ids).await?;
    if assets.is_empty() {
        return Err(Error::NotFound { what: "output asset" }.into());
    }
    let permit = edge.streams.open(&*core.shared, user).await?.of(auth_watch(&core, &request).await?);
    Ok(zip::stream(core.files.storage.clone(), assets, permit, core.clock.now()))
}
