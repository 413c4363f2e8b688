//! A notice: a message of the operators to all users.

use chrono::{DateTime, Utc};

use crate::ids::{NoticeId, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub id: NoticeId,
    pub title_en: String,
    pub title_ko: String,
    /// Sanitised HTML.
    pub content_en: String,
    pub content_ko: String,
    pub created_by: UserId,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNotice {
    pub title_en: String,
    pub title_ko: String,
    pub content_en: String,
    pub content_ko: String,
}
