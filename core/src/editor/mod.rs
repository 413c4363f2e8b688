//! The node editor's data of each user: settings, and files such as workflows that its own "save" stores.
//!
//! Only the user reads and changes them, not even an admin. Values and contents are opaque to the platform and are
//! returned as they were sent. The room also knows which node classes and models the editor offers a caller.

mod catalog;
mod file;
mod limits;
mod store;

use bytes::Bytes;
use serde_json::{Map, Value};

pub use catalog::{EditorCatalog, catalog};
pub use file::{EditorFile, EditorFileInfo, EditorPath, WriteMode};
pub use limits::{MAX_FILE_BYTES, MAX_SETTINGS_BYTES};

use crate::database;
use crate::ids::UserId;
use crate::{Caller, Core, Error, Result, users};

/// The caller's stored settings by id.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn settings(core: &Core, caller: &Caller) -> Result<Map<String, Value>> {
    let user = caller.signed_in()?;
    Ok(store::settings(&core.db, user).await?.into_iter().collect())
}

/// Stores these settings; others stay. Allowed for a banned user, as other settings are.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for an id that is empty or long; [`Error::Refused`] with
/// `STORAGE_FULL` where all settings of the user would be too many or too large.
pub async fn set_settings(core: &Core, caller: &Caller, changes: &Map<String, Value>) -> Result<()> {
    let user = caller.signed_in()?;
    if changes.is_empty() {
        return Ok(());
    }
    limits::check_ids(changes.keys())?;
    let mut tx = database::begin(&core.db).await?;
    store::lock(&mut tx, user).await?;
    store::set_settings(&mut tx, user, changes).await?;
    limits::check_settings(store::settings_usage(&mut tx, user).await?)?;
    tx.commit().await?;
    Ok(())
}

/// The caller's files below a folder, sorted by path.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn files(core: &Core, caller: &Caller, folder: &EditorPath) -> Result<Vec<EditorFileInfo>> {
    let user = caller.signed_in()?;
    Ok(store::files(&core.db, user, &format!("{folder}/")).await?)
}

/// Up to `limit` of the caller's files whose paths follow `after`, with their contents.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn files_after(core: &Core, caller: &Caller, after: &str, limit: i64) -> Result<Vec<EditorFile>> {
    let user = caller.signed_in()?;
    Ok(store::files_after(&core.db, user, after, limit).await?)
}

/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the caller has no such file.
pub async fn read_file(core: &Core, caller: &Caller, path: &EditorPath) -> Result<EditorFile> {
    let user = caller.signed_in()?;
    store::file(&core.db, user, path).await?.ok_or(NO_FILE)
}

/// Stores a file. `None` where the path is taken and `mode` does not replace.
///
/// # Errors
/// As [`users::may_take_part`]; [`Error::FileTooLarge`]; [`Error::Refused`] with `STORAGE_FULL` where the files of the
/// user would be too many or too large.
pub async fn write_file(
    core: &Core,
    caller: &Caller,
    path: &EditorPath,
    content: &Bytes,
    mode: WriteMode,
) -> Result<Option<EditorFileInfo>> {
    let permit = users::may_take_part(core, caller).await?;
    let user = caller.signed_in()?;
    limits::check_file(content)?;
    let mut tx = database::begin(&core.db).await?;
    store::lock(&mut tx, user).await?;
    if mode == WriteMode::CreateOnly && store::info(&mut tx, user, path).await?.is_some() {
        return Ok(None);
    }
    store::write(&mut tx, &permit, user, path, content, core.clock.now()).await?;
    limits::check_files(store::files_usage(&mut tx, user).await?)?;
    let info = store::info(&mut tx, user, path).await?.ok_or(NO_FILE)?;
    tx.commit().await?;
    Ok(Some(info))
}

/// Moves a file. `None` where the destination is taken and `mode` does not replace.
///
/// # Errors
/// As [`users::may_take_part`]; [`Error::NotFound`] where the caller has no such file.
pub async fn move_file(
    core: &Core,
    caller: &Caller,
    [from, to]: [&EditorPath; 2],
    mode: WriteMode,
) -> Result<Option<EditorFileInfo>> {
    let permit = users::may_take_part(core, caller).await?;
    let user = caller.signed_in()?;
    let mut tx = database::begin(&core.db).await?;
    store::lock(&mut tx, user).await?;
    let mut moved = store::info(&mut tx, user, from).await?.ok_or(NO_FILE)?;
    if mode == WriteMode::CreateOnly && store::info(&mut tx, user, to).await?.is_some() {
        return Ok(None);
    }
    if from != to {
        store::delete(&mut tx, user, to).await?;
        store::rename(&mut tx, &permit, user, [from, to]).await?;
        moved.path = to.clone();
    }
    tx.commit().await?;
    Ok(Some(moved))
}

/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::NotFound`] where the caller has no such file.
pub async fn delete_file(core: &Core, caller: &Caller, path: &EditorPath) -> Result<()> {
    let user = caller.signed_in()?;
    let mut connection = core.db.acquire().await?;
    if store::delete(&mut connection, user, path).await? { Ok(()) } else { Err(NO_FILE) }
}

/// Deletes the settings and files of a deleted account.
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    Ok(store::forget(&core.db, user).await?)
}

const NO_FILE: Error = Error::NotFound { what: "file" };

#[cfg(test)]
mod tests;
