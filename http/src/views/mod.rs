//! What clients see: `_id`, camelCase, populated objects. Nothing here decides anything.

pub mod agents;
pub mod announcements;
pub mod any_jobs;
pub mod assets;
pub mod audit;
pub mod batches;
pub mod comments;
pub mod coupons;
pub mod credits;
pub mod discovery;
pub mod error_codes;
pub mod events;
pub mod fleet;
pub mod generators;
pub mod jobs;
pub mod mini_apps;
pub mod moderation;
pub mod notifications;
pub mod orders;
pub mod origins;
pub mod output_assets;
pub mod payment_methods;
pub mod people;
pub mod person_money;
pub mod profiles;
pub mod promotions;
pub mod quotes;
pub mod requirements;
pub mod resources;
pub mod revenue;
pub mod search;
pub mod subscriptions;
pub mod translations;
pub mod upkeep;
pub mod users;
pub mod videos;
pub mod webhooks;
pub mod words;
pub mod workflow_tags;
pub mod workflows;

use serde::Serialize;

use crate::openapi::ToSchema;

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cursor<T> {
    pub items: Vec<T>,
    /// Send it back as `cursor` for the next page; `null` at the end.
    pub next_cursor: Option<String>,
}

/// A whole list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Items<T> {
    pub items: Vec<T>,
}

/// One page of a numbered list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub pagination: Pagination,
}

/// The position of a page.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// Counts from 1.
    pub current_page: u32,
    pub total_pages: u32,
    pub total_count: u64,
    pub limit: u32,
}

impl Pagination {
    /// The numbers for `total` items in pages of `limit`.
    #[must_use]
    pub fn new(page: i64, limit: i64, total: i64) -> Self {
        let counted = |value: i64| u32::try_from(value.max(0)).unwrap_or(u32::MAX);
        let (limit, total_count) = (counted(limit), u64::try_from(total).unwrap_or(0));
        let total_pages = u32::try_from(total_count.div_ceil(u64::from(limit.max(1)))).unwrap_or(u32::MAX);
        Self { current_page: counted(page), total_pages, total_count, limit }
    }
}
