//! Community videos: videos on YouTube that admins select.
//!
//! An admin enters an address. The server asks YouTube's oEmbed for title and channel, and copies the preview picture
//! once. A visitor's browser contacts YouTube only after a click on play, in a frame that is built from the validated
//! id. A video that YouTube removed keeps its last data and is listed for admins only.

mod address;
mod list;
mod oembed;
mod order;
mod store;
mod video;

use std::collections::HashSet;

use bytes::Bytes;
use chrono::{DateTime, Utc};

pub use address::YoutubeId;
pub use list::{VideoFilter, all, list};
pub use order::VideoOrder;

use serde_json::json;
use sqlx::PgConnection;
pub use video::Video;

use crate::assets::Exposure;
use crate::audit::{self, Act, Action};
use crate::caller::AdminAct;
use crate::database;
use crate::ids::{AssetId, VideoId};
use crate::{Caller, Code, Core, Error, Result, assets, users};
use oembed::VideoMetadata;

#[derive(Debug, Clone)]
pub struct NewVideo {
    /// Its address on YouTube, in any usual form.
    pub url: String,
    /// The day of publication, which oEmbed does not return; `None` for today.
    pub youtube_created_at: Option<DateTime<Utc>>,
}

/// Changes to a video; `None` keeps a field. A changed title is replaced by the next refresh.
#[derive(Debug, Clone, Default)]
pub struct VideoChanges {
    pub name: Option<String>,
    pub youtube_created_at: Option<DateTime<Utc>>,
}

/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] for an address
/// without a video, or a day in the future; `VIDEO_EXISTS` for a video in the list; `VIDEO_UNAVAILABLE` for a video
/// that YouTube does not show; [`Error::Unavailable`] where YouTube does not answer.
pub async fn add(core: &Core, caller: &Caller, new: NewVideo) -> Result<Video> {
    let by = caller.must_be_admin()?;
    let youtube = YoutubeId::in_address(&new.url)
        .ok_or_else(|| Error::invalid("url", "is not the address of a video at YouTube"))?;
    let now = core.clock.now();
    let youtube_created_at = day(core, new.youtube_created_at)?.unwrap_or(now);
    if store::exists(&core.db, &youtube).await? {
        return Err(exists());
    }
    let metadata = oembed::fetch(core, &youtube).await?.ok_or_else(|| {
        Error::refused(
            Code::VideoUnavailable,
            "YouTube does not give this video to others: it is private, removed, or may not be embedded",
        )
    })?;
    let video = Video {
        id: VideoId::new(),
        poster: poster(core, caller, &youtube, &metadata).await,
        youtube,
        name: metadata.name,
        author_name: metadata.author_name,
        author_url: metadata.author_url,
        youtube_created_at,
        gone_at: None,
        checked_at: now,
        created_at: now,
    };
    let mut tx = database::begin(&core.db).await?;
    if !store::insert(&mut tx, &video).await? {
        return Err(exists());
    }
    audit::record(&mut tx, by, Act::new(Action::VideoAdd, video.id).after(audit_fields(&video)), now).await?;
    tx.commit().await?;
    Ok(video)
}

/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] for an empty title
/// or a day in the future; [`Error::NotFound`].
pub async fn update(core: &Core, caller: &Caller, id: VideoId, changes: VideoChanges) -> Result<Video> {
    let by = caller.must_be_admin()?;
    let named = |name: &String| oembed::cut(name).ok_or_else(|| Error::invalid("name", "must not be empty"));
    let name = changes.name.as_ref().map(named).transpose()?;
    let youtube_created_at = day(core, changes.youtube_created_at)?;
    let before = find(core, id).await?;
    let mut after = before.clone();
    after.name = name.unwrap_or(after.name);
    after.youtube_created_at = youtube_created_at.unwrap_or(after.youtube_created_at);
    let mut tx = database::begin(&core.db).await?;
    if !store::update(&mut tx, id, Some(&after.name), Some(after.youtube_created_at)).await? {
        return Err(GONE);
    }
    record(core, &mut tx, by, Action::VideoUpdate, (&before, &after)).await?;
    tx.commit().await?;
    Ok(after)
}

/// Writes the changes to the audit log.
async fn record(
    core: &Core,
    tx: &mut PgConnection,
    by: AdminAct,
    action: Action,
    (before, after): (&Video, &Video),
) -> Result<()> {
    let [was, is] = audit::changed(audit_fields(before), audit_fields(after));
    Ok(audit::record(tx, by, Act::new(action, after.id).before(was).after(is), core.clock.now()).await?)
}

/// The fields of a video that the audit log keeps.
fn audit_fields(video: &Video) -> serde_json::Value {
    json!({
        "youtubeId": video.youtube.as_str(), "name": video.name, "author_name": video.author_name,
        "youtubeCreatedAt": video.youtube_created_at, "isAvailable": video.gone_at.is_none(),
    })
}

/// Updates title, channel and preview from YouTube, and marks a video that YouTube removed.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::NotFound`];
/// [`Error::Unavailable`] where YouTube does not answer.
pub async fn refresh(core: &Core, caller: &Caller, id: VideoId) -> Result<Video> {
    let by = caller.must_be_admin()?;
    let before = find(core, id).await?;
    let mut video = before.clone();
    let now = core.clock.now();
    video.checked_at = now;
    match oembed::fetch(core, &video.youtube).await? {
        Some(metadata) => {
            video.poster = poster(core, caller, &video.youtube, &metadata).await.or(video.poster);
            video.name = metadata.name;
            video.author_name = metadata.author_name;
            video.author_url = metadata.author_url;
            video.gone_at = None;
        }
        None => video.gone_at = video.gone_at.or(Some(now)),
    }
    let mut tx = database::begin(&core.db).await?;
    store::update_metadata(&mut tx, &video).await?;
    record(core, &mut tx, by, Action::VideoRefresh, (&before, &video)).await?;
    tx.commit().await?;
    Ok(video)
}

/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::NotFound`].
pub async fn remove(core: &Core, caller: &Caller, id: VideoId) -> Result<()> {
    let by = caller.must_be_admin()?;
    let video = find(core, id).await?;
    let mut tx = database::begin(&core.db).await?;
    if !store::delete(&mut tx, id).await? {
        return Err(GONE);
    }
    let act = Act::new(Action::VideoRemove, id).before(audit_fields(&video));
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// The pictures among these that are previews of videos.
pub async fn posters_among(core: &Core, pictures: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::posters_among(&core.db, pictures).await?)
}

async fn find(core: &Core, id: VideoId) -> Result<Video> {
    store::find(&core.db, id).await?.ok_or(GONE)
}

/// Copies the preview as a public picture of the admin. A failure is only logged, because a video is listed without
/// preview too; a refresh tries again.
async fn poster(core: &Core, caller: &Caller, youtube: &YoutubeId, metadata: &VideoMetadata) -> Option<AssetId> {
    let url = metadata.thumbnail_url.as_deref()?;
    let taken = async {
        let fetched: Result<Bytes> = core
            .outbound
            .get(url, oembed::POSTER_BYTES)
            .await
            .map_err(|blocked| Error::FileNotAnImage { reason: blocked.to_string() });
        let asset = assets::upload(core, caller, &format!("youtube-{}", youtube.as_str()), fetched?).await?;
        let permit = users::may_publish(core, caller).await?;
        assets::set_private(core, caller, &[asset.id], Exposure::Everybody(&permit)).await?;
        Ok::<AssetId, Error>(asset.id)
    };
    taken
        .await
        .inspect_err(|error| tracing::warn!(%error, video = youtube.as_str(), "cannot copy the preview of a video"))
        .ok()
}

fn day(core: &Core, day: Option<DateTime<Utc>>) -> Result<Option<DateTime<Utc>>> {
    // In the time zone of the admin, tomorrow may have begun.
    let latest = core.clock.now() + chrono::TimeDelta::days(1);
    if day.is_some_and(|day| day > latest || day < DateTime::UNIX_EPOCH) {
        return Err(Error::invalid("youtubeCreatedAt", "must be a day between 1970 and today"));
    }
    Ok(day)
}

const GONE: Error = Error::NotFound { what: "video" };

fn exists() -> Error {
    Error::conflict(Code::VideoExists, "this video is in the list already")
}

#[cfg(test)]
mod tests;
