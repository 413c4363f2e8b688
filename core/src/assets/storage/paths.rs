//! Where bytes stand in the store: a file in each of its forms, what was taken out of it, and both while they wait to be
//! deleted.

use chrono::{DateTime, Utc};
use object_store::ObjectMeta;
use object_store::path::Path;

use super::content_hash::ContentHash;

/// Where bytes stand that are about to be deleted.
const ASIDE: &str = "aside/";

/// Where everything stands that was taken out of files.
const EMBEDDED: &str = "embedded";

/// Which form of a file is meant.
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
pub(in crate::assets) struct Listed {
    pub content: ContentHash,
    /// Whether it is the file itself, and not made from it.
    pub is_raw: bool,
    pub size: u64,
    pub changed_at: DateTime<Utc>,
}

impl Listed {
    /// What an object is by its place; nothing where that is not the name of a file of ours.
    pub(super) fn of(object: &ObjectMeta) -> Option<Self> {
        let place = object.location.as_ref();
        let (folder, rest) = place.strip_prefix(ASIDE).unwrap_or(place).split_once('/').unwrap_or_default();
        let mut names = rest.rsplit('/');
        // What was taken out of a file stands in a folder of the file's name, and goes with it.
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

/// Where everything is that was ever taken out of this file.
pub(super) fn embedded_folder(content: &ContentHash) -> Path {
    Path::from(place(EMBEDDED, content))
}

/// Where that stands while the file waits to be deleted.
pub(super) fn embedded_aside(content: &ContentHash) -> Path {
    Path::from(format!("{ASIDE}{}", place(EMBEDDED, content)))
}

pub(super) fn path(content: &ContentHash, form: Form) -> Path {
    Path::from(place(form.folder(), content))
}

/// Where it stands while it waits to be deleted.
pub(super) fn aside(content: &ContentHash, form: Form) -> Path {
    Path::from(format!("{ASIDE}{}", place(form.folder(), content)))
}

/// Two levels of folders, so that none of them grows without end.
fn place(folder: &str, content: &ContentHash) -> String {
    let name = content.as_str();
    format!("{folder}/{}/{}/{name}", name.get(0..2).unwrap_or("-"), name.get(2..4).unwrap_or("-"))
}
