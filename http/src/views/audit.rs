//! The audit log.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;
use verdigraph_core::audit::AuditEntry;

use super::users::UserCard;
use super::words::AuditAction;
use crate::openapi::ToSchema;

/// An action of an admin.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntryView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `null` for the command line.
    pub admin: Option<UserCard>,
    pub action: AuditAction,
    /// The object of the action.
    pub target: Uuid,
    /// Its owner.
    pub person: Option<UserCard>,
    /// The changed fields before, and the name of the object if it has one; `null` if there was nothing.
    pub before: Value,
    /// The changed fields after; `null` if nothing is left.
    pub after: Value,
    pub request_id: Option<String>,
    /// The admin's IP address.
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl AuditEntryView {
    /// The view, with admin and owner.
    #[must_use]
    pub fn new(entry: AuditEntry, admin: Option<UserCard>, person: Option<UserCard>) -> Self {
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
