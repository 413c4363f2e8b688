//! What becomes of the bytes of a thing that moderators hide or delete.
//!
//! An output or an upload is its bytes: they are locked for everybody, and whatever else shows them is private from then
//! on. A workflow only carries pictures: those that somebody else shows as theirs stay, because nobody has judged them;
//! otherwise whoever wants another's picture gone would put it on a workflow that breaks the rules.

use sqlx::PgConnection;

use super::Thing;
use crate::assets::ContentHash;
use crate::ids::UserId;
use crate::{Core, Result, assets, gallery, workflows};

/// Locks the bytes of a thing and takes them out of everybody's sight.
pub(super) async fn lock(tx: &mut PgConnection, core: &Core, thing: Thing, author: UserId) -> Result<()> {
    let contents = contents(tx, thing, author).await?;
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
        Thing::Comment(_) => Ok(Vec::new()),
        Thing::Picture(id) => Ok(gallery::content_within(tx, id).await?.into_iter().collect()),
        Thing::Upload(id) => assets::contents_of(tx, &[id]).await,
        Thing::Workflow(id) => {
            let pictures = workflows::pictures_within(tx, id).await?;
            let mut contents = assets::contents_of(&mut *tx, &pictures).await?;
            let mut others = assets::shown_by_others(tx, &contents, author).await?;
            others.extend(gallery::shown_by_others(tx, &contents, author).await?);
            contents.retain(|content| !others.contains(content));
            Ok(contents)
        }
    }
}
