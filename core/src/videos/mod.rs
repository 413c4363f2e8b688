//! Community videos: what people have made and explained at YouTube, picked by admins.
//!
//! An admin gives an address; the server asks YouTube's oEmbed for title and channel, and takes the preview picture
//! over once. So a visitor's browser meets YouTube only after pressing play, in a frame that is made here from the
//! checked id. A video that is gone keeps its last good copy, is marked, and is shown to admins alone.

mod address;
mod list;
mod oembed;
mod store;

use bytes::Bytes;
use chrono::{DateTime, Utc};

pub use address::YoutubeId;
pub use list::{MAX_PAGE, Order, Page, Question, all, list};

use crate::ids::{AssetId, VideoId};
use crate::{Caller, Core, Error, Result, assets};
use oembed::Told;

/// A video that an admin picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Video {
    pub id: VideoId,
    pub youtube: YoutubeId,
    pub name: String,
    /// The channel.
    pub author_name: String,
    /// An address at YouTube.
    pub author_url: Option<String>,
    /// Our copy of the preview, which everybody may see; `None` where there was none to be had.
    pub poster: Option<AssetId>,
    /// When it came out.
    pub youtube_created_at: DateTime<Utc>,
    /// Since when YouTube gives it to nobody any more.
    pub gone_at: Option<DateTime<Utc>>,
    /// When YouTube was asked last.
    pub checked_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

/// What an admin gives to add a video.
#[derive(Debug, Clone)]
pub struct NewVideo {
    /// Its address at YouTube, in any usual form.
    pub url: String,
    /// When it came out, which oEmbed does not tell; `None`: today.
    pub youtube_created_at: Option<DateTime<Utc>>,
}

/// What an admin changes; `None` leaves a thing as it is. A title holds until YouTube is asked again.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    pub name: Option<String>,
    pub youtube_created_at: Option<DateTime<Utc>>,
}

/// Adds a video.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::Invalid`] for an address that
/// names no video, or a day to come; `VIDEO_EXISTS` for one that is there already; `VIDEO_UNAVAILABLE` for one that YouTube
/// gives to nobody; [`Error::Unavailable`] where YouTube does not answer.
pub async fn add(core: &Core, caller: &Caller, new: NewVideo) -> Result<Video> {
    caller.must_be_admin()?;
    let youtube = YoutubeId::in_address(&new.url)
        .ok_or_else(|| Error::invalid("url", "is not the address of a video at YouTube"))?;
    let now = core.clock.now();
    let youtube_created_at = day(core, new.youtube_created_at)?.unwrap_or(now);
    if store::exists(&core.db, &youtube).await? {
        return Err(exists());
    }
    let told = oembed::ask(core, &youtube).await?.ok_or_else(|| Error::Refused {
        code: "VIDEO_UNAVAILABLE",
        message: "YouTube does not give this video to others: it is private, removed, or may not be embedded"
            .to_owned(),
        details: serde_json::Value::Null,
    })?;
    let video = Video {
        id: VideoId::new(),
        poster: poster(core, caller, &youtube, &told).await,
        youtube,
        name: told.name,
        author_name: told.author_name,
        author_url: told.author_url,
        youtube_created_at,
        gone_at: None,
        checked_at: now,
        created_at: now,
    };
    if !store::insert(&core.db, &video).await? {
        return Err(exists());
    }
    Ok(video)
}

/// Changes what YouTube does not tell, or tells badly.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::Invalid`] for an empty title or a
/// day to come; [`Error::NotFound`].
pub async fn update(core: &Core, caller: &Caller, id: VideoId, changes: Changes) -> Result<Video> {
    caller.must_be_admin()?;
    let named = |name: &String| oembed::cut(name).ok_or_else(|| Error::invalid("name", "must not be empty"));
    let name = changes.name.as_ref().map(named).transpose()?;
    let youtube_created_at = day(core, changes.youtube_created_at)?;
    if !store::update(&core.db, id, name.as_deref(), youtube_created_at).await? {
        return Err(GONE);
    }
    find(core, id).await
}

/// Asks YouTube again: title, channel and preview are as they are there now, and a video that is gone is marked.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`];
/// [`Error::Unavailable`] where YouTube does not answer.
pub async fn refresh(core: &Core, caller: &Caller, id: VideoId) -> Result<Video> {
    caller.must_be_admin()?;
    let mut video = find(core, id).await?;
    let now = core.clock.now();
    video.checked_at = now;
    match oembed::ask(core, &video.youtube).await? {
        Some(told) => {
            video.poster = poster(core, caller, &video.youtube, &told).await.or(video.poster);
            video.name = told.name;
            video.author_name = told.author_name;
            video.author_url = told.author_url;
            video.gone_at = None;
        }
        None => video.gone_at = video.gone_at.or(Some(now)),
    }
    store::update_told(&core.db, &video).await?;
    Ok(video)
}

/// Takes a video out of the list.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`].
pub async fn remove(core: &Core, caller: &Caller, id: VideoId) -> Result<()> {
    caller.must_be_admin()?;
    if store::delete(&core.db, id).await? { Ok(()) } else { Err(GONE) }
}

async fn find(core: &Core, id: VideoId) -> Result<Video> {
    store::find(&core.db, id).await?.ok_or(GONE)
}

/// Takes the preview over, as a picture of the admin's that everybody may see. A video without one is shown all the
/// same, so a failure is only logged; asking again tries again.
async fn poster(core: &Core, caller: &Caller, youtube: &YoutubeId, told: &Told) -> Option<AssetId> {
    let url = told.thumbnail_url.as_deref()?;
    let taken = async {
        let fetched: Result<Bytes> = core
            .outbound
            .get(url, oembed::POSTER_BYTES)
            .await
            .map_err(|blocked| Error::FileNotAnImage { reason: blocked.to_string() });
        let asset = assets::upload(core, caller, &format!("youtube-{}", youtube.as_str()), fetched?).await?;
        assets::set_private(core, caller, &[asset.id], false).await?;
        Ok::<AssetId, Error>(asset.id)
    };
    taken
        .await
        .inspect_err(|error| tracing::warn!(%error, video = youtube.as_str(), "a preview was not taken over"))
        .ok()
}

fn day(core: &Core, day: Option<DateTime<Utc>>) -> Result<Option<DateTime<Utc>>> {
    // A day is chosen where it may be tomorrow already.
    let latest = core.clock.now() + chrono::TimeDelta::days(1);
    if day.is_some_and(|day| day > latest || day < DateTime::UNIX_EPOCH) {
        return Err(Error::invalid("youtubeCreatedAt", "must be a day between 1970 and today"));
    }
    Ok(day)
}

const GONE: Error = Error::NotFound { what: "video" };

fn exists() -> Error {
    Error::Conflict { code: "VIDEO_EXISTS", message: "this video is in the list already".to_owned() }
}

#[cfg(test)]
mod tests;
