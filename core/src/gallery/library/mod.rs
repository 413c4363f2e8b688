//! The library of a user: uploads and outputs in one list, with names, tags and metadata that the owner writes. The
//! newest files are listed, up to a limit.

pub(in crate::gallery) mod item;
mod store;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use serde_json::{Map, Value};
use uuid::Uuid;

use self::item::{LibraryChange, LibraryFile, LibraryFilter, LibraryItem, LibraryPlace, check_metadata};
use self::store::{FileRow, NoteRow};
use super::find_all;
use super::output_asset::OutputAsset;
use crate::assets::{self, Asset};
use crate::database;
use crate::ids::{AssetId, OutputAssetId, UserId};
use crate::list::NumberedPage;
use crate::users;
use crate::{Caller, Core, Error, Result};

/// The most uploads that are listed, and the most outputs.
const MOST_FILES: i64 = 10_000;

/// A part of the caller's library, and the number of all files that match.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a filter beyond the limits.
pub async fn library(
    core: &Core,
    caller: &Caller,
    filter: &LibraryFilter,
    place: LibraryPlace,
) -> Result<NumberedPage<LibraryItem>> {
    let user = caller.signed_in()?;
    filter.check()?;
    let now = core.clock.now();
    let rows = store::list(&core.db, (user, now, MOST_FILES), filter, place).await?;
    let total = store::count(&core.db, (user, now, MOST_FILES), filter).await?;
    Ok(NumberedPage { items: items(core, rows).await?, total })
}

/// The tags of the files in the caller's library that match, with the numbers of files, the most frequent first.
///
/// # Errors
/// As [`library`].
pub async fn library_tags(core: &Core, caller: &Caller, filter: &LibraryFilter) -> Result<Vec<(String, i64)>> {
    let user = caller.signed_in()?;
    filter.check()?;
    Ok(store::tags(&core.db, (user, core.clock.now(), MOST_FILES), filter).await?)
}

/// An upload or output of the caller. Not even admins see those of others here.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::LoginRequired`] for a guest.
pub async fn library_item(core: &Core, caller: &Caller, id: Uuid) -> Result<LibraryItem> {
    let file = own_file(core, caller.signed_in()?, id).await?;
    let note = store::note(&core.db, id).await?;
    Ok(item(file, note))
}

/// Changes what is written about an upload or output of the caller. Returns the tags before the change, and the item.
///
/// # Errors
/// As [`library_item`] and [`users::may_take_part`]; [`Error::Invalid`] for a name, tags or metadata beyond the limits.
pub async fn change_library_item(
    core: &Core,
    caller: &Caller,
    id: Uuid,
    change: &LibraryChange,
) -> Result<(Vec<String>, LibraryItem)> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let name = change.checked_name()?;
    if let Some(metadata) = &change.metadata {
        check_metadata("user_metadata", metadata)?;
    }
    let file = own_file(core, user, id).await?;
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let first = NoteRow::first(file.usual_tag(), now);
    let mut note = store::lock(&mut tx, &permit, (user, id), &first).await?;
    let before = note.tags.clone();
    note.tags = change.tags.apply(&before)?;
    note.name = name.or(note.name);
    if let Some(metadata) = &change.metadata {
        note.metadata = Value::Object(metadata.clone());
    }
    note.written_at = now;
    store::update(&mut tx, &permit, id, &note).await?;
    tx.commit().await?;
    Ok((before, item(file, Some(note))))
}

/// Deletes what a deleted account wrote about its files.
pub async fn forget_library(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

const GONE: Error = Error::NotFound { what: "asset" };

async fn own_file(core: &Core, user: UserId, id: Uuid) -> Result<LibraryFile> {
    if let Some(asset) = assets::find_all(core, &[AssetId(id)]).await?.remove(&AssetId(id)) {
        return if asset.user == user { Ok(LibraryFile::Upload(Box::new(asset))) } else { Err(GONE) };
    }
    let output = find_all(core, &[OutputAssetId(id)]).await?.pop().filter(|output| output.user == user);
    output.map(|output| LibraryFile::Output(Box::new(output))).ok_or(GONE)
}

fn item(file: LibraryFile, note: Option<NoteRow>) -> LibraryItem {
    let note = note.unwrap_or_else(|| NoteRow::first(file.usual_tag(), file.created_at()));
    LibraryItem {
        name: note.name.unwrap_or_else(|| file.name()),
        tags: note.tags,
        metadata: fields(note.metadata),
        updated_at: note.written_at,
        file,
    }
}

/// The files of these rows, in their order. One may have been deleted since.
async fn items(core: &Core, rows: Vec<FileRow>) -> Result<Vec<LibraryItem>> {
    let uploads: Vec<AssetId> = rows.iter().filter(|row| !row.is_output).map(|row| AssetId(row.id)).collect();
    let outputs: Vec<OutputAssetId> =
        rows.iter().filter(|row| row.is_output).map(|row| OutputAssetId(row.id)).collect();
    let mut uploads: HashMap<AssetId, Asset> = assets::find_all(core, &uploads).await?;
    let mut outputs: HashMap<OutputAssetId, OutputAsset> = match outputs.is_empty() {
        true => HashMap::new(),
        false => find_all(core, &outputs).await?.into_iter().map(|output| (output.id, output)).collect(),
    };
    let items = rows.into_iter().filter_map(|row| {
        let file = match row.is_output {
            false => LibraryFile::Upload(Box::new(uploads.remove(&AssetId(row.id))?)),
            true => LibraryFile::Output(Box::new(outputs.remove(&OutputAssetId(row.id))?)),
        };
        let FileRow { name, tags, metadata, updated_at, .. } = row;
        Some(LibraryItem { file, name, tags, metadata: fields(metadata), updated_at })
    });
    Ok(items.collect())
}

fn fields(metadata: Value) -> Map<String, Value> {
    match metadata {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
