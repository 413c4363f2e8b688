//! What becomes of the bytes of a thing that moderators hide or delete.
//!
//! An output or an upload is its bytes: they are locked for everybody, and whatever else shows them is private from then
//! on. A workflow and a comment only carry pictures: those that somebody else shows as theirs stay, because nobody has judged them;
//! otherwise whoever wants another's picture gone would put it on something that breaks the rules.

use sqlx::PgConnection;

use super::Thing;
use crate::assets::ContentHash;
use crate::ids::{AssetId, UserId};
use crate::{Core, Result, assets, gallery, workflows};

/// Has the bytes of a thing cleaned that nobody has cleaned yet, and tells what they were before. Else a lock would be on
/// a file that nobody can store again, and not on the one that becomes of it whoever brings it. What cannot be cleaned is
/// locked as it is.
pub(super) async fn clean(core: &Core, thing: Thing, author: UserId) -> Result<Vec<ContentHash>> {
    let mut tx = core.db.begin().await?;
    let contents = contents(&mut tx, thing, author).await?;
    tx.rollback().await?;
    assets::note_pixels(core, &contents).await?;
    for content in &contents {
        let cleaned = match assets::clean_now(core, content).await {
            Ok(()) => gallery::clean_now(core, content).await,
            failed => failed,
        };
        if let Err(error) = cleaned {
            tracing::warn!(%error, file.content = content.as_str(), "what is hidden could not be cleaned before");
        }
    }
    Ok(contents)
}

/// Locks the bytes of a thing, as they are and as they were, and takes them out of everybody's sight.
pub(super) async fn lock(
    tx: &mut PgConnection,
    core: &Core,
    thing: Thing,
    author: UserId,
    before: &[ContentHash],
) -> Result<()> {
    let mut contents = contents(tx, thing, author).await?;
    contents.extend_from_slice(before);
    contents.extend(assets::twins_within(tx, &contents).await?.into_iter().map(|(_, twin)| twin));
    if contents.is_empty() {
        return Ok(());
    }
    let now = core.clock.now();
    assets::lock_contents_within(tx, thing.id(), &contents, now).await?;
    assets::hide_contents_within(tx, &contents).await?;
    gallery::hide_contents_within(tx, &contents, gallery::expiry(now, core.settings.outputs.days)).await
}

/// Frees the bytes of a thing, as far as nothing else that is hidden has the same. Nothing is shown again by that.
pub(super) async fn unlock(tx: &mut PgConnection, thing: Thing) -> Result<()> {
    assets::unlock_contents_within(tx, thing.id()).await
}

async fn contents(tx: &mut PgConnection, thing: Thing, author: UserId) -> Result<Vec<ContentHash>> {
    match thing {
        Thing::OutputAsset(id) => Ok(gallery::content_within(tx, id).await?.into_iter().collect()),
        Thing::Upload(id) => assets::contents_of(tx, &[id]).await,
        Thing::Workflow(id) => {
            let pictures = workflows::pictures_within(tx, id).await?;
            carried(tx, &pictures, author).await
        }
        Thing::Comment(id) => {
            let pictures = assets::pictures_of_text(tx, id.0).await?;
            carried(tx, &pictures, author).await
        }
    }
}

/// The bytes of pictures that nobody but the author of what carries them shows, in these bytes or in others of the same pixels.
async fn carried(tx: &mut PgConnection, pictures: &[AssetId], author: UserId) -> Result<Vec<ContentHash>> {
    let mut contents = assets::contents_of(&mut *tx, pictures).await?;
    let twins = assets::twins_within(tx, &contents).await?;
    let all: Vec<ContentHash> = contents.iter().chain(twins.iter().map(|(_, twin)| twin)).cloned().collect();
    let mut others = assets::shown_by_others(tx, &all, author).await?;
    others.extend(gallery::shown_by_others(tx, &all, author).await?);
    let is_shown = |content: &ContentHash| {
        others.contains(content) || twins.iter().any(|(of, twin)| of == content && others.contains(twin))
    };
    contents.retain(|content| !is_shown(content));
    Ok(contents)
}
