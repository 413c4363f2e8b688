//! Community videos: what people have made and explained at YouTube, picked by admins.
//!
//! An admin gives an address; the server asks YouTube's oEmbed for title and channel, and takes the preview picture
//! over once. So a visitor's browser meets YouTube only after pressing play, in a frame that is made here from the
//! checked id. A video that is gone keeps its last good copy, is marked, and is shown to admins alone.

mod address;
mod cursor;
mod list;
mod oembed;
mod store;
mod video;

use std::collections::HashSet;

use bytes::Bytes;
use chrono::{DateTime, Utc};

pub use address::YoutubeId;
pub use cursor::Order;
pub use list::{MAX_PAGE, Page, Question, all, list};

use serde_json::json;
use sqlx::PgConnection;
pub use video::Video;

use crate::assets::Exposure;
use crate::audit::{self, Act, Action};
use crate::caller::AdminAct;
use crate::ids::{AssetId, VideoId};
use crate::{Caller, Code, Core, Error, Result, assets, users};
use oembed::Told;

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
    let by = caller.must_be_admin()?;
    let youtube = YoutubeId::in_address(&new.url)
        .ok_or_else(|| Error::invalid("url", "is not the address of a video at YouTube"))?;
    let now = core.clock.now();
    let youtube_created_at = day(core, new.youtube_created_at)?.unwrap_or(now);
    if store::exists(&core.db, &youtube).await? {
        return Err(exists());
    }
    let told = oembed::ask(core, &youtube).await?.ok_or_else(|| {
        Error::refused(
            Code::VideoUnavailable,
            "YouTube does not give this video to others: it is private, removed, or may not be embedded",
        )
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
    let mut tx = core.db.begin().await?;
    if !store::insert(&mut tx, &video).await? {
        return Err(exists());
    }
    audit::record(&mut tx, by, Act::new(Action::VideoAdd, video.id).after(shown(&video)), now).await?;
    tx.commit().await?;
    Ok(video)
}

/// Changes what YouTube does not tell, or tells badly.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::Invalid`] for an empty title or a
/// day to come; [`Error::NotFound`].
pub async fn update(core: &Core, caller: &Caller, id: VideoId, changes: Changes) -> Result<Video> {
    let by = caller.must_be_admin()?;
    let named = |name: &String| oembed::cut(name).ok_or_else(|| Error::invalid("name", "must not be empty"));
    let name = changes.name.as_ref().map(named).transpose()?;
    let youtube_created_at = day(core, changes.youtube_created_at)?;
    let before = find(core, id).await?;
    let mut after = before.clone();
    after.name = name.unwrap_or(after.name);
    after.youtube_created_at = youtube_created_at.unwrap_or(after.youtube_created_at);
    let mut tx = core.db.begin().await?;
    if !store::update(&mut tx, id, Some(&after.name), Some(after.youtube_created_at)).await? {
        return Err(GONE);
    }
    record(core, &mut tx, by, Action::VideoUpdate, (&before, &after)).await?;
    tx.commit().await?;
    Ok(after)
}

/// Writes down how a video was before and is now.
async fn record(
    core: &Core,
    tx: &mut PgConnection,
    by: AdminAct,
    action: Action,
    (before, after): (&Video, &Video),
) -> Result<()> {
    let [was, is] = audit::changed(shown(before), shown(after));
    Ok(audit::record(tx, by, Act::new(action, after.id).before(was).after(is), core.clock.now()).await?)
}

/// What the audit log keeps of a video.
fn shown(video: &Video) -> serde_json::Value {
    json!({
        "youtubeId": video.youtube.as_str(), "name": video.name, "author_name": video.author_name,
        "youtubeCreatedAt": video.youtube_created_at, "isAvailable": video.gone_at.is_none(),
    })
}

/// Asks YouTube again: title, channel and preview are as they are there now, and a video that is gone is marked.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`];
/// [`Error::Unavailable`] where YouTube does not answer.
pub async fn refresh(core: &Core, caller: &Caller, id: VideoId) -> Result<Video> {
    let by = caller.must_be_admin()?;
    let before = find(core, id).await?;
    let mut video = before.clone();
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
    let mut tx = core.db.begin().await?;
    store::update_told(&mut tx, &video).await?;
    record(core, &mut tx, by, Action::VideoRefresh, (&before, &video)).await?;
    tx.commit().await?;
    Ok(video)
}

/// Takes a video out of the list.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for anybody but an admin; [`Error::NotFound`].
pub async fn remove(core: &Core, caller: &Caller, id: VideoId) -> Result<()> {
    let by = caller.must_be_admin()?;
    let video = find(core, id).await?;
    let mut tx = core.db.begin().await?;
    if !store::delete(&mut tx, id).await? {
        return Err(GONE);
    }
    let act = Act::new(Action::VideoRemove, id).before(shown(&video));
    audit::record(&mut tx, by, act, core.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Those of the pictures that are a video's preview.
///
/// # Errors
/// Database errors.
pub async fn posters_among(core: &Core, pictures: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::posters_among(&core.db, pictures).await?)
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
        let permit = users::may_publish(core, caller).await?;
        assets::set_private(core, caller, &[asset.id], Exposure::Everybody(&permit)).await?;
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
    Error::conflict(Code::VideoExists, "this video is in the list already")
}

#[cfg(test)]
mod tests;
