//! Files of a library, and what their owner writes about them.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::assets::Asset;
use crate::gallery::output_asset::OutputAsset;
use crate::{Error, Result, names};

/// The most tags of a file, and of a filter.
const MAX_TAGS: usize = 50;
const MAX_TAG_CHARS: usize = 100;
const MAX_NAME_CHARS: usize = 200;
/// The most bytes of a file's metadata as JSON.
const MAX_METADATA_BYTES: usize = 16 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryFile {
    Upload(Box<Asset>),
    Output(Box<OutputAsset>),
}

impl LibraryFile {
    /// The tag of a file without notes.
    #[must_use]
    pub fn usual_tag(&self) -> &'static str {
        match self {
            Self::Upload(_) => "input",
            Self::Output(_) => "output",
        }
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Upload(asset) => asset.name.clone(),
            Self::Output(output) => output.name.clone().unwrap_or_else(|| output.id.to_string()),
        }
    }

    pub(super) fn created_at(&self) -> DateTime<Utc> {
        match self {
            Self::Upload(asset) => asset.created_at,
            Self::Output(output) => output.created_at,
        }
    }
}

/// An upload or output of a user.
#[derive(Debug, Clone, PartialEq)]
pub struct LibraryItem {
    pub file: LibraryFile,
    pub name: String,
    pub tags: Vec<String>,
    pub metadata: Map<String, Value>,
    pub updated_at: DateTime<Utc>,
}

/// Which files a list has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LibraryFilter {
    /// A file has all of these tags.
    pub include_tags: Vec<String>,
    /// A file has none of these tags.
    pub exclude_tags: Vec<String>,
    /// A part of the name, in any case.
    pub name: Option<String>,
    /// Fields that the metadata has, with these values.
    pub metadata: Map<String, Value>,
}

impl LibraryFilter {
    /// Refuses what the database could not read.
    pub(super) fn check(&self) -> Result<()> {
        for (field, tags) in [("include_tags", &self.include_tags), ("exclude_tags", &self.exclude_tags)] {
            if tags.len() > MAX_TAGS || tags.iter().any(|tag| tag.contains('\0')) {
                return Err(Error::invalid(field, format!("must have at most {MAX_TAGS} tags")));
            }
        }
        if self.name.as_ref().is_some_and(|name| name.contains('\0') || name.chars().count() > MAX_NAME_CHARS) {
            return Err(Error::invalid("name_contains", format!("must have at most {MAX_NAME_CHARS} characters")));
        }
        check_metadata("metadata_filter", &self.metadata)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LibraryOrder {
    Name,
    #[default]
    Created,
    Updated,
    Size,
}

impl LibraryOrder {
    /// The word of the statement.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Size => "size",
        }
    }
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibraryPlace {
    pub order: LibraryOrder,
    pub is_descending: bool,
    pub offset: i64,
    pub limit: i64,
}

/// A change of a file's tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TagEdit {
    #[default]
    Keep,
    Replace(Vec<String>),
    Add(Vec<String>),
    Remove(Vec<String>),
}

impl TagEdit {
    /// Refuses tags that no file may have.
    ///
    /// # Errors
    /// [`Error::Invalid`], as of the change itself.
    pub fn check(&self) -> Result<()> {
        self.apply(&[]).map(drop)
    }

    /// The tags after the change, each once.
    ///
    /// # Errors
    /// [`Error::Invalid`] for too many tags, and for a tag that is empty, long or has hidden characters.
    pub(super) fn apply(&self, tags: &[String]) -> Result<Vec<String>> {
        let (kept, new): (Vec<String>, &[String]) = match self {
            Self::Keep => (tags.to_vec(), &[]),
            Self::Replace(new) => (Vec::new(), new.as_slice()),
            Self::Add(new) => (tags.to_vec(), new.as_slice()),
            Self::Remove(gone) => (tags.iter().filter(|tag| !gone.contains(tag)).cloned().collect(), &[]),
        };
        let mut all = kept;
        for tag in new {
            let tag = checked_tag(tag)?;
            if !all.contains(&tag) {
                all.push(tag);
            }
        }
        if all.len() > MAX_TAGS {
            return Err(Error::invalid("tags", format!("must be at most {MAX_TAGS}")));
        }
        Ok(all)
    }
}

fn checked_tag(tag: &str) -> Result<String> {
    let trimmed = names::trimmed(tag, 1..=MAX_TAG_CHARS).filter(|tag| !tag.chars().any(names::is_hidden));
    trimmed.ok_or_else(|| Error::invalid("tags", format!("must have 1 to {MAX_TAG_CHARS} visible characters each")))
}

/// A change of what is written about a file. `None` keeps a field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LibraryChange {
    pub name: Option<String>,
    pub tags: TagEdit,
    pub metadata: Option<Map<String, Value>>,
}

impl LibraryChange {
    /// The checked name.
    pub(super) fn checked_name(&self) -> Result<Option<String>> {
        let Some(name) = &self.name else { return Ok(None) };
        let name = names::trimmed(name, 1..=MAX_NAME_CHARS).filter(|name| !name.chars().any(names::is_hidden));
        let wrong = || Error::invalid("name", format!("must have 1 to {MAX_NAME_CHARS} visible characters"));
        name.map(Some).ok_or_else(wrong)
    }
}

/// Refuses metadata that is too large, or that the database cannot store.
pub(super) fn check_metadata(field: &str, metadata: &Map<String, Value>) -> Result<()> {
    let text = serde_json::to_string(metadata).unwrap_or_default();
    if text.len() > MAX_METADATA_BYTES {
        return Err(Error::invalid(field, format!("must not be larger than {MAX_METADATA_BYTES} bytes")));
    }
    // JSON writes NUL as an escape; an escaped backslash before `u0000` is only text.
    if text.replace("\\\\", "").contains("\\u0000") {
        return Err(Error::invalid(field, "must not contain the NUL character"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn edits_keep_each_tag_once_and_in_order() {
        assert!(TagEdit::Add(texts(&["a", "b"])).check().is_ok() && TagEdit::Add(texts(&[" "])).check().is_err());
        let tags = texts(&["input", "a"]);
        for (edit, expected) in [
            (TagEdit::Keep, vec!["input", "a"]),
            (TagEdit::Add(texts(&[" b ", "a", "b"])), vec!["input", "a", "b"]),
            (TagEdit::Remove(texts(&["input", "x"])), vec!["a"]),
            (TagEdit::Replace(texts(&["c", "c"])), vec!["c"]),
            (TagEdit::Replace(Vec::new()), vec![]),
        ] {
            assert_eq!(edit.apply(&tags).expect("tags"), expected, "{edit:?}");
        }
    }

    #[test]
    fn tags_beyond_the_limits_are_refused() {
        let long = "x".repeat(MAX_TAG_CHARS + 1);
        for bad in ["", "  ", "a\0b", "a\u{200b}", &long] {
            assert!(TagEdit::Add(texts(&[bad])).apply(&[]).is_err(), "{bad:?}");
        }
        let many = (0..=MAX_TAGS).map(|number| number.to_string()).collect();
        assert!(TagEdit::Add(many).apply(&[]).is_err());
    }

    #[test]
    fn metadata_that_cannot_be_stored_is_refused() {
        let of = |value: Value| match value {
            Value::Object(fields) => check_metadata("user_metadata", &fields),
            _ => panic!("an object"),
        };
        assert!(of(json!({ "a": ["b", 1.5, null], "c": "\\u0000" })).is_ok());
        for bad in [json!({ "a": "x\0" }), json!({ "x\0": 1 }), json!({ "a": "x".repeat(MAX_METADATA_BYTES) })] {
            assert!(of(bad).is_err());
        }
    }
}
