//! Uploads that texts show: pictures in descriptions, comments and notices. A text keeps what it names, a draft too, and
//! is what shows it: everybody sees such a picture from the commit that publishes the text on, and no longer than that,
//! unless something else shows it. Only uploads of the text's authors are meant; another's address in a text is a link.

pub(in crate::assets) mod store;

use std::collections::HashSet;

use sqlx::PgConnection;
use uuid::Uuid;

use super::asset::Key;
use super::locks::{Exposure, contents_of, must_not_be_locked};
use super::storage::content_hash::ContentHash;
use crate::ids::{AssetId, UserId};
use crate::{Core, Result, assets, html};

/// A text as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// The workflow, comment or notice that it stands in.
    pub id: Uuid,
    /// Whose uploads it can show: who wrote it, and whoever changes it for them.
    pub authors: &'a [UserId],
    /// All that it says, cleaned.
    pub html: &'a [&'a str],
}

/// Notes which uploads a text names, and shows them to those who may read it. Gives those that everybody saw because of
/// it and that it shows no longer: they are to be hidden unless something else shows them.
///
/// # Errors
/// As [`must_not_be_locked`].
pub async fn write_text_within(tx: &mut PgConnection, text: Text<'_>, exposure: Exposure<'_>) -> Result<Vec<AssetId>> {
    let contents = named(text.html);
    let pictures = store::pictures(tx, text.id, text.authors, &contents).await?;
    let mut released = store::delete_others(tx, text.id, &pictures).await?;
    if exposure.is_private() {
        released.extend(store::hide(tx, text.id).await?);
        store::insert_hidden(tx, text.id, &pictures).await?;
    } else {
        let contents = contents_of(&mut *tx, &pictures).await?;
        must_not_be_locked(tx, exposure, &contents).await?;
        store::insert_shown(tx, text.id, &pictures).await?;
    }
    Ok(released)
}

/// Notes that a text is read by nobody but its author and admins any more; it keeps its pictures. Gives what
/// [`write_text_within`] gives.
///
/// # Errors
/// Database errors.
pub async fn hide_text_within(tx: &mut PgConnection, text: Uuid) -> Result<Vec<AssetId>> {
    Ok(store::hide(tx, text).await?)
}

/// Shows the pictures of a text that a moderator had taken out of sight, but for those that are hidden for another
/// reason.
///
/// # Errors
/// Database errors.
pub async fn show_text_within(tx: &mut PgConnection, text: Uuid) -> Result<()> {
    Ok(store::show(tx, text).await?)
}

/// Notes that a text is gone. Gives what [`write_text_within`] gives.
///
/// # Errors
/// Database errors.
pub async fn delete_text_within(tx: &mut PgConnection, text: Uuid) -> Result<Vec<AssetId>> {
    Ok(store::delete_others(tx, text, &[]).await?)
}

/// The uploads that a text names.
///
/// # Errors
/// Database errors.
pub async fn pictures_of_text(tx: &mut PgConnection, text: Uuid) -> Result<Vec<AssetId>> {
    Ok(store::of(tx, text).await?)
}

/// Those of the uploads that a text names, whoever may read it.
///
/// # Errors
/// Database errors.
pub async fn in_texts(core: &Core, ids: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::among(&core.db, ids).await?)
}

/// Those of these that a text shows to everybody: somebody is about to hide them, and from now on it is for the texts'
/// sake alone that they are seen.
///
/// # Errors
/// Database errors.
pub async fn kept_by_texts_within(tx: &mut PgConnection, ids: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::keep(tx, ids).await?)
}

/// Hides uploads that nothing shows, whoever's they are; for rooms that decided that.
///
/// # Errors
/// Database errors.
pub async fn hide_within(tx: &mut PgConnection, ids: &[AssetId]) -> Result<()> {
    Ok(assets::store::set_private(tx, ids, None, true).await?)
}

/// The contents that media addresses in cleaned HTML name.
fn named(html: &[&str]) -> Vec<ContentHash> {
    let keys = html.iter().flat_map(|html| html::media(html)).filter_map(|name| name.parse::<Key>().ok());
    keys.map(|key| key.content).collect::<HashSet<_>>().into_iter().collect()
}
