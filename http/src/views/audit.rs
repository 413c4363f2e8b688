//! The audit log.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;
use verdigraph_core::audit::Entry;

use super::users::UserCard;
use super::words::AuditAction;
use crate::described::ToSchema;

/// Something that an admin did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntryView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `null` for the command line of the platform.
    pub admin: Option<UserCard>,
    pub action: AuditAction,
    /// The thing that it was done to.
    pub target: Uuid,
    /// Whose it is.
    pub person: Option<UserCard>,
    /// What of it was otherwise before; `null` where there was nothing.
    pub before: Value,
    /// What of it is otherwise since; `null` where nothing is left.
    pub after: Value,
    pub request_id: Option<String>,
    /// The address of the network that the admin acted from.
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl AuditEntryView {
    /// The view, with who did it and whose the thing is.
    #[must_use]
    pub fn new(entry: Entry, admin: Option<UserCard>, person: Option<UserCard>) -> Self {
        Self {
            id: entry.id.0,
            admin,
            action: entry.act.action.into(),
            target: entry.act.target,
            person,
            before: entry.act.before,
            after: entry.act.after,
            request_id: entry.request_id,
            address: entry.address,
            created_at: entry.created_at,
        }
    }
}
