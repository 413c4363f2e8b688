//! Texts for visitors: announcements, and the alert about broken workflows.

use std::path::Path;

use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::error::SettingsError;
use super::lists;

const BUILT_IN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../config/announcements.toml"));

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bilingual {
    pub en: String,
    pub ko: String,
}

/// News shown once to every visitor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// Browsers remember which ids they have shown.
    pub id: String,
    pub from: DateTime<Utc>,
    /// `None` means it stays.
    #[serde(default)]
    pub until: Option<DateTime<Utc>>,
    /// Whether it opens automatically; others are only listed.
    #[serde(default)]
    pub opens: bool,
    pub title: Bilingual,
    /// Plain text; an empty line begins a new paragraph.
    pub text: Bilingual,
}

/// An alert about workflows that do not work at the moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkflowAlert {
    /// Ids of workflows or of their mini apps.
    pub workflows: Vec<String>,
    pub title: Bilingual,
    pub text: Bilingual,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcements {
    #[serde(default, rename = "announcement")]
    pub all: Vec<Announcement>,
    #[serde(default)]
    pub workflow_alert: WorkflowAlert,
    /// If set, only admins can publish pictures, and this text explains it.
    #[serde(default)]
    pub gallery_pause: Option<Bilingual>,
    /// If set, requested models are not installed, and this text explains it.
    #[serde(default)]
    pub request_pause: Option<Bilingual>,
}

impl Announcements {
    /// The current announcements, newest first.
    #[must_use]
    pub fn at(&self, now: DateTime<Utc>) -> Vec<&Announcement> {
        let told = |one: &&Announcement| one.from <= now && one.until.is_none_or(|until| now < until);
        let mut current: Vec<&Announcement> = self.all.iter().filter(told).collect();
        current.sort_by_key(|one| std::cmp::Reverse(one.from));
        current
    }
}

pub(super) fn read(file: Option<&Path>) -> Result<Announcements, SettingsError> {
    let (place, found): (String, Announcements) = lists::parse(file, BUILT_IN, "announcements.toml")?;
    lists::unique(&place, found.all.iter().map(|one| one.id.as_str()))?;
    let alert = &found.workflow_alert;
    let texts = found.all.iter().flat_map(|one| [&one.title, &one.text]);
    let alerts = [&alert.title, &alert.text].into_iter().filter(|_| !alert.workflows.is_empty());
    if texts
        .chain(alerts)
        .chain(&found.gallery_pause)
        .chain(&found.request_pause)
        .any(|text| text.en.trim().is_empty() || text.ko.trim().is_empty())
    {
        return Err(SettingsError(format!("{place}: a text is empty in one of the languages")));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> Result<Announcements, SettingsError> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("a text");
        read(Some(file.path()))
    }

    const ONE: &str = "[[announcement]]\nid = \"a\"\nfrom = \"2026-01-01T00:00:00Z\"\nuntil = \"2026-02-01T00:00:00Z\"\n\
        title = { en = \"A\", ko = \"가\" }\ntext = { en = \"B\", ko = \"나\" }\n";

    #[test]
    fn announcement_is_current_between_its_dates() {
        let found = own(ONE).expect("a list");
        let told = |time: &str| found.at(time.parse().expect("a time")).len();
        assert_eq!(told("2025-12-31T23:59:59Z"), 0);
        assert_eq!(told("2026-01-01T00:00:00Z"), 1);
        assert_eq!(told("2026-02-01T00:00:00Z"), 0);
    }

    #[test]
    fn newest_announcement_comes_first() {
        let later = ONE.replace("\"a\"", "\"b\"").replace("2026-01-01", "2026-01-05");
        let found = own(&format!("{ONE}{later}")).expect("a list");
        let ids: Vec<&str> =
            found.at("2026-01-10T00:00:00Z".parse().expect("a time")).iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["b", "a"]);
    }

    #[test]
    fn text_missing_in_a_language_is_refused() {
        assert!(own(&ONE.replace("ko = \"나\"", "ko = \" \"")).is_err());
        assert!(own("[gallery_pause]\nen = \"Later\"\nko = \"\"\n").is_err());
        assert!(own("[gallery_pause]\nen = \"Later\"\nko = \"나중에\"\n").expect("a list").gallery_pause.is_some());
        assert!(own("[request_pause]\nen = \"Later\"\nko = \"\"\n").is_err());
        assert!(own("[request_pause]\nen = \"Later\"\nko = \"나중에\"\n").expect("a list").request_pause.is_some());
        assert!(own(&format!("{ONE}{ONE}")).is_err(), "an id is repeated");
        assert!(read(None).is_ok(), "the built-in list is wrong");
    }
}
