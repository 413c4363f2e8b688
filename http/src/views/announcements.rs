//! What visitors are told.

use chrono::{DateTime, Utc};
use serde::Serialize;
use verdigraph_core::settings::{Announcement, Announcements, Bilingual};

use crate::described::ToSchema;

/// What visitors are told now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnouncementsView {
    /// Newest first.
    pub items: Vec<AnnouncementView>,
    pub workflow_alert: WorkflowAlertView,
    /// What people are told while the gallery takes no pictures; `null` while it does.
    pub gallery_pause: Option<BilingualView>,
    /// What people are told while no models are installed at their request; `null` while they are.
    pub request_pause: Option<BilingualView>,
}

/// One piece of news.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnnouncementView {
    #[serde(rename = "_id")]
    pub id: String,
    pub from: DateTime<Utc>,
    /// Whether it opens by itself for whoever has not seen it.
    pub opens: bool,
    pub title: BilingualView,
    /// Plain text; an empty line begins a new paragraph.
    pub text: BilingualView,
}

/// Workflows that do not work for the time being, and what is said about them.
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
    /// What is told at this moment.
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
