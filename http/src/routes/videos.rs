//! Community videos.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::ids::{AssetId, VideoId};
use verdigraph_core::videos::{self, Changes, NewVideo, Order, Page, Question, Video};
use verdigraph_core::{Core, Error, assets};

use super::CursorQuery;
use crate::caller::Caller;
use crate::described::{self, IntoParams, OpenApi, ToSchema};
use crate::error::{ErrorBody, Result};
use crate::extract::Body;
use crate::generic;
use crate::moment::Moment;
use crate::views::Cursor;
use crate::views::assets::AssetView;
use crate::views::videos::VideoView;
use crate::views::words::VideoSort;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(list, all, add, update, remove, refresh))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/public/youtube-community/list").get(list))
        .service(web::resource("/admin/youtube-community/list").get(all))
        .service(web::resource("/admin/youtube-community").post(add))
        .service(web::resource("/admin/youtube-community/{id}").patch(update).delete(remove))
        .service(web::resource("/admin/youtube-community/{id}/refresh").post(refresh));
}

/// Which videos are wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VideosQuery {
    /// `newest` (the default) or `oldest`, by the day on which they came out.
    #[param(inline, value_type = Option<VideoSort>)]
    sort: Option<String>,
    /// `{"author_name": "…"}`, as a JSON text: the videos of one channel.
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// `nextCursor` of the page before.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Words that title or channel must contain; parts of words are enough.
    #[param(max_length = 500)]
    keyword: Option<String>,
    /// How many items, 1 to 100; 20 when it is left out.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    author_name: Option<String>,
}

impl VideosQuery {
    fn question(self) -> std::result::Result<Question, Error> {
        let filter: Filter = generic::filter(self.filter.as_deref())?;
        Ok(Question {
            order: self.sort.as_deref().map_or(Ok(Order::default()), str::parse)?,
            author_name: filter.author_name,
            keyword: self.keyword,
            cursor: self.cursor,
            limit: CursorQuery { cursor: None, limit: self.limit }.limit()?,
        })
    }
}

/// Community videos, picked by admins
#[described::path(get, path = "/api/public/youtube-community/list", tag = "videos", params(VideosQuery), responses(
    (status = 200, body = Cursor<VideoView>), (status = 400, body = ErrorBody)
))]
async fn list(core: Data<Core>, query: Query<VideosQuery>) -> Result<Json<Cursor<VideoView>>> {
    let page = videos::list(&core, query.into_inner().question()?).await?;
    answer(&core, page).await
}

/// Community videos with those that YouTube gives to nobody any more
#[described::path(get, path = "/api/admin/youtube-community/list", tag = "videos", params(VideosQuery), responses(
    (status = 200, body = Cursor<VideoView>), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody)
))]
async fn all(core: Data<Core>, caller: Caller, query: Query<VideosQuery>) -> Result<Json<Cursor<VideoView>>> {
    let page = videos::all(&core, &caller, query.into_inner().question()?).await?;
    answer(&core, page).await
}

/// A video to be added.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewVideoBody {
    /// Its address at YouTube: of the page, a short link, a short, a live stream or a frame.
    #[schema(max_length = 300)]
    url: String,
    /// When it came out; now when it is left out.
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    youtube_created_at: Option<Moment>,
}

/// Adds a video; title, channel and preview are asked of YouTube
#[described::path(post, path = "/api/admin/youtube-community", tag = "videos", request_body = NewVideoBody, responses(
    (status = 201, body = VideoView), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
    (status = 403, body = ErrorBody), (status = 409, body = ErrorBody, description = "VIDEO_EXISTS"),
    (status = 422, body = ErrorBody, description = "VIDEO_UNAVAILABLE"),
    (status = 503, body = ErrorBody, description = "YouTube does not answer")
))]
async fn add(core: Data<Core>, caller: Caller, Body(body): Body<NewVideoBody>) -> Result<HttpResponse> {
    let new = NewVideo { url: body.url, youtube_created_at: body.youtube_created_at.map(Into::into) };
    let video = videos::add(&core, &caller, new).await?;
    Ok(HttpResponse::Created().json(view(&core, video).await?))
}

/// What of a video shall change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VideoChangesBody {
    /// 1 to 200 characters; holds until YouTube is asked again.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    youtube_created_at: Option<Moment>,
}

/// Changes title or day of a video
#[described::path(patch, path = "/api/admin/youtube-community/{id}", tag = "videos", request_body = VideoChangesBody,
    params(("id" = Uuid, Path)), responses((status = 200, body = VideoView), (status = 400, body = ErrorBody),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody, description = "MODERATION_LOCKED")
))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<VideoId>,
    Body(body): Body<VideoChangesBody>,
) -> Result<Json<VideoView>> {
    let changes = Changes { name: body.name, youtube_created_at: body.youtube_created_at.map(Into::into) };
    let video = videos::update(&core, &caller, *id, changes).await?;
    Ok(Json(view(&core, video).await?))
}

/// Takes a video out of the list
#[described::path(delete, path = "/api/admin/youtube-community/{id}", tag = "videos", params(("id" = Uuid, Path)),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody)
))]
async fn remove(core: Data<Core>, caller: Caller, id: Path<VideoId>) -> Result<HttpResponse> {
    videos::remove(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Asks YouTube again for title, channel and preview, and whether it is still there
#[described::path(post, path = "/api/admin/youtube-community/{id}/refresh", tag = "videos", params(("id" = Uuid, Path)),
    responses((status = 200, body = VideoView), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 503, body = ErrorBody, description = "YouTube does not answer")
))]
async fn refresh(core: Data<Core>, caller: Caller, id: Path<VideoId>) -> Result<Json<VideoView>> {
    let video = videos::refresh(&core, &caller, *id).await?;
    Ok(Json(view(&core, video).await?))
}

async fn answer(core: &Core, page: Page) -> Result<Json<Cursor<VideoView>>> {
    let Page { items, next_cursor } = page;
    Ok(Json(Cursor { items: views(core, items).await?, next_cursor }))
}

async fn view(core: &Core, video: Video) -> std::result::Result<VideoView, Error> {
    let mut views = views(core, vec![video]).await?;
    views.pop().ok_or_else(|| Error::Internal("a video without a view".to_owned()))
}

/// The views of several, with their previews read together.
async fn views(core: &Core, videos: Vec<Video>) -> std::result::Result<Vec<VideoView>, Error> {
    let posters: Vec<AssetId> = videos.iter().filter_map(|video| video.poster).collect();
    let posters = assets::find_all(core, &posters).await?;
    let base_url = core.settings.base_url();
    let view = |video: Video| {
        let poster = video.poster.and_then(|id| posters.get(&id)).map(|asset| AssetView::new(asset.clone(), base_url));
        VideoView::new(video, poster)
    };
    Ok(videos.into_iter().map(view).collect())
}
