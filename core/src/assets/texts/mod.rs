//! Uploads that texts show: pictures in descriptions, comments and notices. A text references its pictures even as a
//! draft. They become public when the text is published, and stop being public with it unless something else shows
//! them. Only uploads of the text's authors count; the address of another user's upload is just a link.

pub(in crate::assets) mod store;

use std::collections::HashSet;

use sqlx::PgConnection;
use uuid::Uuid;

use super::asset::FileKey;
use super::locks::{Exposure, contents_of, must_not_be_locked};
use super::storage::content_hash::ContentHash;
use crate::ids::{AssetId, UserId};
use crate::{Core, Result, assets, html};

/// A text that is written.
#[derive(Debug, Clone, Copy)]
pub struct RichText<'a> {
    /// The workflow, comment or notice with this text.
    pub id: Uuid,
    /// Whose uploads it can show: the author, and a user who edits it for them.
    pub authors: &'a [UserId],
    /// Its parts, as cleaned HTML.
    pub html: &'a [&'a str],
}

/// Saves which uploads a text references, and shows them to its readers. Returns uploads that were public because of
/// this text and no longer are referenced: the caller hides them unless something else shows them.
///
/// # Errors
/// As [`must_not_be_locked`].
pub async fn write_text_tx(tx: &mut PgConnection, text: RichText<'_>, exposure: Exposure<'_>) -> Result<Vec<AssetId>> {
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

/// Marks a text as visible to its author and admins only; it keeps its pictures. Returns the same as [`write_text_tx`].
pub async fn hide_text_tx(tx: &mut PgConnection, text: Uuid) -> Result<Vec<AssetId>> {
    Ok(store::hide(tx, text).await?)
}

/// Shows the pictures of a text again that a moderator had hidden, except those hidden for another reason.
pub async fn show_text_tx(tx: &mut PgConnection, text: Uuid) -> Result<()> {
    Ok(store::show(tx, text).await?)
}

/// Deletes a text. Returns the same as [`write_text_tx`].
pub async fn delete_text_tx(tx: &mut PgConnection, text: Uuid) -> Result<Vec<AssetId>> {
    Ok(store::delete_others(tx, text, &[]).await?)
}

pub async fn pictures_of_text(tx: &mut PgConnection, text: Uuid) -> Result<Vec<AssetId>> {
    Ok(store::of(tx, text).await?)
}

/// Those of these uploads that any text references.
pub async fn in_texts(core: &Core, ids: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::among(&core.db, ids).await?)
}

/// Those of these uploads that a public text shows. The caller is about to hide them; they stay public for the texts
/// only.
pub async fn kept_by_texts_tx(tx: &mut PgConnection, ids: &[AssetId]) -> Result<HashSet<AssetId>> {
    Ok(store::keep(tx, ids).await?)
}

/// Hides uploads of any owner that nothing shows; the calling room has checked that.
pub async fn hide_tx(tx: &mut PgConnection, ids: &[AssetId]) -> Result<()> {
    Ok(assets::store::set_private(tx, ids, None, true).await?)
}

/// The contents of media URLs in cleaned HTML.
fn named(html: &[&str]) -> Vec<ContentHash> {
    let keys = html.iter().flat_map(|html| html::media(html)).filter_map(|name| name.parse::<FileKey>().ok());
    keys.map(|key| key.content).collect::<HashSet<_>>().into_iter().collect()
}
