//! Announcements to visitors.

use chrono::{DateTime, Utc};
use serde::Serialize;
use verdigraph_core::settings::{Announcement, Announcements, Bilingual};

use crate::openapi::ToSchema;

/// Current announcements.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnouncementsView {
    /// Newest first.
    pub items: Vec<AnnouncementView>,
    pub workflow_alert: WorkflowAlertView,
    /// Shown while the gallery accepts no pictures; else `null`.
    pub gallery_pause: Option<BilingualView>,
    /// Shown while no models are installed on request; else `null`.
    pub request_pause: Option<BilingualView>,
}

/// One announcement.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnnouncementView {
    #[serde(rename = "_id")]
    pub id: String,
    pub from: DateTime<Utc>,
    /// Whether it opens by itself for visitors who have not seen it.
    pub opens: bool,
    pub title: BilingualView,
    /// Plain text; an empty line starts a new paragraph.
    pub text: BilingualView,
}

/// Workflows that do not work at the moment, with a text about them.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorkflowAlertView {
    /// Ids of workflows or of the mini apps on them.
    pub workflows: Vec<String>,
    pub title: BilingualView,
    pub text: BilingualView,
}

/// A text in both languages.
#[derive(Debug, Serialize, ToSchema)]
pub struct BilingualView {
    pub en: String,
    pub ko: String,
}

impl AnnouncementsView {
    /// The announcements at this time.
    #[must_use]
    pub fn new(announcements: &Announcements, now: DateTime<Utc>) -> Self {
        let alert = &announcements.workflow_alert;
        Self {
            items: announcements.at(now).into_iter().map(AnnouncementView::from).collect(),
            workflow_alert: WorkflowAlertView {
                workflows: alert.workflows.clone(),
                title: (&alert.title).into(),
                text: (&alert.text).into(),
            },
            gallery_pause: announcements.gallery_pause.as_ref().map(BilingualView::from),
            request_pause: announcements.request_pause.as_ref().map(BilingualView::from),
        }
    }
}

impl From<&Announcement> for AnnouncementView {
    fn from(one: &Announcement) -> Self {
        Self {
            id: one.id.clone(),
            from: one.from,
            opens: one.opens,
            title: (&one.title).into(),
            text: (&one.text).into(),
        }
    }
}

impl From<&Bilingual> for BilingualView {
    fn from(text: &Bilingual) -> Self {
        Self { en: text.en.clone(), ko: text.ko.clone() }
    }
}
