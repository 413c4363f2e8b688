//! Paths in the store: a file in each of its forms, its removed metadata, and both in the trash.

use chrono::{DateTime, Utc};
use object_store::ObjectMeta;
use object_store::path::Path;

use super::content_hash::ContentHash;

/// The trash: bytes that are about to be deleted.
const TRASH: &str = "aside/";

/// Metadata that was removed from files.
const EMBEDDED: &str = "embedded";

/// A form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::assets) enum Form {
    Raw,
    /// Fits 200 pixels; see [`crate::assets::Quality`].
    W200,
    W480,
    W960,
    Optimal,
}

impl Form {
    pub(super) const ALL: [Self; 5] = [Self::W200, Self::W480, Self::W960, Self::Optimal, Self::Raw];

    fn folder(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::W200 => "w200",
            Self::W480 => "w480",
            Self::W960 => "w960",
            Self::Optimal => "optimal",
        }
    }
}

/// One object of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::assets) struct StoredObject {
    pub content: ContentHash,
    /// Whether it is the file itself and not made from it.
    pub is_raw: bool,
    pub size: u64,
    pub changed_at: DateTime<Utc>,
}

impl StoredObject {
    /// Parses an object's path; `None` if its name is not a file's.
    pub(super) fn of(object: &ObjectMeta) -> Option<Self> {
        let place = object.location.as_ref();
        let (folder, rest) = place.strip_prefix(TRASH).unwrap_or(place).split_once('/').unwrap_or_default();
        let mut names = rest.rsplit('/');
        // Removed metadata is in a folder named after its file, and is deleted with it.
        let name = if folder == EMBEDDED { names.nth(1) } else { names.next() };
        let content = name.unwrap_or_default().parse::<ContentHash>().ok()?;
        Some(Self {
            content,
            is_raw: folder == Form::Raw.folder(),
            size: object.size,
            changed_at: object.last_modified,
        })
    }
}

/// The folder of all metadata that was removed from this file.
pub(super) fn embedded_folder(content: &ContentHash) -> Path {
    Path::from(place(EMBEDDED, content))
}

pub(super) fn embedded_trash_path(content: &ContentHash) -> Path {
    Path::from(format!("{TRASH}{}", place(EMBEDDED, content)))
}

pub(super) fn path(content: &ContentHash, form: Form) -> Path {
    Path::from(place(form.folder(), content))
}

pub(super) fn trash_path(content: &ContentHash, form: Form) -> Path {
    Path::from(format!("{TRASH}{}", place(form.folder(), content)))
}

/// Two levels of folders keep each of them small.
fn place(folder: &str, content: &ContentHash) -> String {
    let name = content.as_str();
    format!("{folder}/{}/{}/{name}", name.get(0..2).unwrap_or("-"), name.get(2..4).unwrap_or("-"))
}
