//! A notice: what the operators tell everybody.

use chrono::{DateTime, Utc};

use crate::ids::{NoticeId, UserId};

/// A notice.
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

/// What a notice is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNotice {
    pub title_en: String,
    pub title_ko: String,
    pub content_en: String,
    pub content_ko: String,
}
