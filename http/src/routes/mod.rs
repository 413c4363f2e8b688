//! The routes, one file per noun. Each handler extracts, calls one core function, returns one view.

pub mod account;
pub mod agents;
pub mod announcements;
pub mod any_jobs;
pub mod api_keys;
pub mod app_documents;
pub mod app_versions;
pub mod assets;
pub mod audit;
pub mod auth;
pub mod batches;
pub mod blocks;
pub mod chat;
pub mod comment_filter;
pub mod comments;
pub mod coupons;
pub mod credits;
pub mod discovery;
pub mod error_codes;
pub mod events;
pub mod fleet;
pub mod gallery_filter;
pub mod gallery_lists;
pub mod generators;
pub mod health;
pub mod input_assets;
pub mod jobs;
pub mod media;
pub mod metrics;
pub mod mini_app_filter;
pub mod mini_app_shares;
pub mod mini_apps;
pub mod moderation;
pub mod notification_filter;
pub mod notifications;
pub mod operator;
pub mod orders;
pub mod output_assets;
pub mod payment_methods;
pub mod payment_notices;
pub mod people;
pub mod person_money;
pub mod plans;
pub mod promotions;
pub mod quotes;
pub mod recovery;
pub mod requirements;
pub mod revenue;
pub mod search;
pub mod shop;
pub mod social;
pub mod subscriptions;
pub mod upkeep;
pub mod user_filter;
pub mod users;
pub mod videos;
pub mod webhooks;
pub mod workflow_tag_filter;
pub mod workflow_tags;
pub mod workflows;

use actix_web::web::ServiceConfig;
use serde::Deserialize;
use serde_json::value::RawValue;
use verdigraph_core::Error;
use verdigraph_core::list::ListQuery;

use crate::openapi::{IntoParams, ToSchema};

/// The most items per page.
pub const MAX_LIMIT: i64 = 100;

/// Mounts everything below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    // The first match wins and each pattern costs time: calls that programs make by the thousand come first.
    for area in [
        jobs::configure,
        auth::configure,
        recovery::configure,
        social::configure,
        account::configure,
        chat::configure,
        api_keys::configure,
        credits::configure,
        coupons::configure,
        promotions::configure,
        shop::configure,
        orders::configure,
        subscriptions::configure,
        revenue::configure,
        payment_methods::configure,
        payment_notices::configure,
        assets::configure,
        input_assets::configure,
        // Before the ids of workflows, which would match a name.
        requirements::configure,
        workflows::configure,
        workflow_tags::configure,
        workflow_tag_filter::configure,
        mini_app_filter::configure,
        mini_app_shares::configure,
        generators::configure,
        app_documents::configure,
        app_versions::configure,
        mini_apps::configure,
        search::configure,
        discovery::configure,
        output_assets::configure,
        comments::configure,
        notifications::configure,
        events::configure,
        webhooks::configure,
        notification_filter::configure,
        blocks::configure,
        videos::configure,
        announcements::configure,
        operator::configure,
        plans::configure,
        user_filter::configure,
        users::configure,
        moderation::configure,
        people::configure,
        person_money::configure,
        audit::configure,
        upkeep::configure,
        fleet::configure,
        agents::configure,
        any_jobs::configure,
        error_codes::configure,
        health::configure,
    ] {
        area(config);
    }
}

/// Cursor and size of a page.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CursorQuery {
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    pub cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<i64>,
}

impl CursorQuery {
    /// The page size.
    pub fn limit(&self) -> Result<i64, Error> {
        match self.limit.unwrap_or(20) {
            limit @ 1..=MAX_LIMIT => Ok(limit),
            _ => Err(Error::invalid("limit", format!("must be between 1 and {MAX_LIMIT}"))),
        }
    }

    /// The page of a list without filter.
    pub fn page(&self) -> Result<ListQuery<'_>, Error> {
        Ok(ListQuery::at((), self.cursor.as_deref(), self.limit()?))
    }

    /// The id after which a list ordered by ids continues.
    pub fn before<Id: From<uuid::Uuid>>(&self) -> Result<Option<Id>, Error> {
        let parse = |text: &str| {
            uuid::Uuid::parse_str(text).map_err(|_| Error::invalid("cursor", "is not a cursor of this list"))
        };
        Ok(self.cursor.as_deref().map(parse).transpose()?.map(Id::from))
    }
}

/// A graph to look at: a prompt in ComfyUI's API format.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptGraphBody {
    /// Node id → node.
    #[schema(value_type = Object)]
    prompt: Box<RawValue>,
}

/// A page of a numbered list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The page number, from 1 (the default).
    #[param(minimum = 1, maximum = 2_147_483_647)]
    page: Option<i32>,
    /// Items per page, 1 to 100; by default 10 comments or 20 pictures.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i32>,
}

impl PageQuery {
    /// Page number and size, by default `items`. The rooms check the bounds.
    pub fn place(&self, items: i64) -> (i64, i64) {
        (self.page.map_or(1, i64::from), self.limit.map_or(items, i64::from))
    }
}

/// Which parts of a post to return.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SelectQuery {
    /// `prompt name` returns id, name and graph. Without it, empty, or `-prompt` returns everything but the graph.
    #[param(max_length = 100)]
    pub select: Option<String>,
}

impl SelectQuery {
    /// Whether to return the graph.
    pub fn is_of_graph(&self) -> Result<bool, Error> {
        let Some(text) = self.select.as_deref() else { return Ok(false) };
        let mut words = text.split([' ', ',']).filter(|word| !word.is_empty()).peekable();
        if words.peek().is_none() || text.trim() == "-prompt" {
            return Ok(false);
        }
        match words.all(|word| matches!(word, "prompt" | "name" | "_id")) {
            true => Ok(true),
            false => Err(Error::invalid("select", "may name prompt and name")),
        }
    }
}

/// Removes the extra item that shows that the list continues, and returns the next cursor.
pub fn next_cursor<T>(items: &mut Vec<T>, limit: i64, id: impl Fn(&T) -> uuid::Uuid) -> Option<String> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if items.len() <= limit {
        return None;
    }
    items.truncate(limit);
    items.last().map(|last| id(last).to_string())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn last_page_has_no_next_cursor() {
        let ids: Vec<Uuid> = (0..3).map(|_| Uuid::now_v7()).collect();
        let mut exact = ids.clone();
        assert_eq!(next_cursor(&mut exact, 3, |id| *id), None);
        let mut more = ids.clone();
        assert_eq!(next_cursor(&mut more, 2, |id| *id), Some(ids[1].to_string()));
        assert_eq!(more, ids[..2]);
    }

    #[test]
    fn limit_outside_the_bounds_is_refused() {
        for limit in [0, -1, 101, i64::MAX] {
            assert!(CursorQuery { cursor: None, limit: Some(limit) }.limit().is_err(), "{limit} was taken");
        }
        assert!(CursorQuery { cursor: Some("x".into()), limit: None }.before::<Uuid>().is_err());
    }
}
