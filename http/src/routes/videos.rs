//! Community videos.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use verdigraph_core::ids::{AssetId, VideoId};
use verdigraph_core::list::{ListQuery, Page};
use verdigraph_core::videos::{self, NewVideo, Video, VideoChanges, VideoFilter, VideoOrder};
use verdigraph_core::{Core, Error, assets};

use super::CursorQuery;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Body;
use crate::generic;
use crate::moment::Moment;
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::views::Cursor;
use crate::views::assets::AssetView;
use crate::views::videos::VideoView;
use crate::views::words::VideoSort;

#[derive(OpenApi)]
#[openapi(paths(list, all, add, update, remove, refresh))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/public/youtube-community/list").get(list))
        .service(web::resource("/admin/youtube-community/list").get(all))
        .service(web::resource("/admin/youtube-community").post(add))
        .service(web::resource("/admin/youtube-community/{id}").patch(update).delete(remove))
        .service(web::resource("/admin/youtube-community/{id}/refresh").post(refresh));
}

/// Filter and order of videos.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VideosQuery {
    /// `newest` (the default) or `oldest`, by publication date.
    #[param(inline, value_type = Option<VideoSort>)]
    sort: Option<String>,
    /// `{"author_name": "…"}`, as a JSON text: the videos of one channel.
    #[param(max_length = 20_480)]
    filter: Option<String>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Words in title or channel; parts of words are enough.
    #[param(max_length = 500)]
    keyword: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    author_name: Option<String>,
}

impl VideosQuery {
    fn filter(&self) -> std::result::Result<VideoFilter, Error> {
        let filter: Filter = generic::filter(self.filter.as_deref())?;
        Ok(VideoFilter { author_name: filter.author_name, keyword: self.keyword.clone() })
    }

    fn read<'a>(
        &'a self,
        filter: &'a VideoFilter,
    ) -> std::result::Result<ListQuery<'a, &'a VideoFilter, VideoOrder>, Error> {
        let sort = self.sort.as_deref().map_or(Ok(VideoOrder::default()), str::parse)?;
        let limit = CursorQuery { cursor: None, limit: self.limit }.limit()?;
        Ok(ListQuery::at(filter, self.cursor.as_deref(), limit).sorted(sort))
    }
}

/// Community videos, picked by admins
#[openapi::path(get, path = "/api/public/youtube-community/list", tag = "videos", params(VideosQuery),
    responses((status = 200, body = Cursor<VideoView>)))]
async fn list(core: Data<Core>, query: Query<VideosQuery>) -> Result<Json<Cursor<VideoView>>> {
    let page = videos::list(&core, query.read(&query.filter()?)?).await?;
    answer(&core, page).await
}

/// Community videos, including those that are no longer available on YouTube
#[openapi::path(get, path = "/api/admin/youtube-community/list", tag = "videos", params(VideosQuery),
    responses((status = 200, body = Cursor<VideoView>)))]
async fn all(core: Data<Core>, caller: Caller, query: Query<VideosQuery>) -> Result<Json<Cursor<VideoView>>> {
    let page = videos::all(&core, &caller, query.read(&query.filter()?)?).await?;
    answer(&core, page).await
}

/// A video to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewVideoBody {
    /// Its address on YouTube: of the page, a short link, a short, a live stream or a frame.
    #[schema(max_length = 300)]
    url: String,
    /// Its publication date; now by default.
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    youtube_created_at: Option<Moment>,
}

/// Adds a video; title, channel and preview come from YouTube
#[openapi::path(post, path = "/api/admin/youtube-community", tag = "videos", request_body = NewVideoBody,
    responses((status = 201, body = VideoView), (status = 409, description = "VIDEO_EXISTS"),
    (status = 422, description = "VIDEO_UNAVAILABLE"), (status = 503, description = "YouTube does not answer")))]
async fn add(core: Data<Core>, caller: Caller, Body(body): Body<NewVideoBody>) -> Result<HttpResponse> {
    let new = NewVideo { url: body.url, youtube_created_at: body.youtube_created_at.map(Into::into) };
    let video = videos::add(&core, &caller, new).await?;
    Ok(HttpResponse::Created().json(view(&core, video).await?))
}

/// Changes to a video.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VideoChangesBody {
    /// 1 to 200 characters; kept until the next refresh from YouTube.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    youtube_created_at: Option<Moment>,
}

/// Changes title or date of a video
#[openapi::path(patch, path = "/api/admin/youtube-community/{id}", tag = "videos", request_body = VideoChangesBody,
    params(("id" = Uuid, Path)), responses((status = 200, body = VideoView),
    (status = 409, description = "MODERATION_LOCKED")))]
async fn update(
    core: Data<Core>,
    caller: Caller,
    id: Path<VideoId>,
    Body(body): Body<VideoChangesBody>,
) -> Result<Json<VideoView>> {
    let changes = VideoChanges { name: body.name, youtube_created_at: body.youtube_created_at.map(Into::into) };
    let video = videos::update(&core, &caller, *id, changes).await?;
    Ok(Json(view(&core, video).await?))
}

/// Removes a video from the list
#[openapi::path(delete, path = "/api/admin/youtube-community/{id}", tag = "videos", params(("id" = Uuid, Path)),
    responses((status = 204)))]
async fn remove(core: Data<Core>, caller: Caller, id: Path<VideoId>) -> Result<HttpResponse> {
    videos::remove(&core, &caller, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Refreshes title, channel, preview and availability from YouTube
#[openapi::path(post, path = "/api/admin/youtube-community/{id}/refresh", tag = "videos", params(("id" = Uuid, Path)),
    responses((status = 200, body = VideoView), (status = 503, description = "YouTube does not answer")))]
async fn refresh(core: Data<Core>, caller: Caller, id: Path<VideoId>) -> Result<Json<VideoView>> {
    let video = videos::refresh(&core, &caller, *id).await?;
    Ok(Json(view(&core, video).await?))
}

async fn answer(core: &Core, page: Page<Video>) -> Result<Json<Cursor<VideoView>>> {
    let Page { items, next_cursor } = page;
    Ok(Json(Cursor { items: views(core, items).await?, next_cursor }))
}

async fn view(core: &Core, video: Video) -> std::result::Result<VideoView, Error> {
    let mut views = views(core, vec![video]).await?;
    views.pop().ok_or_else(|| Error::Internal("a video without a view".to_owned()))
}

/// Views of several videos, with their previews fetched together.
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
