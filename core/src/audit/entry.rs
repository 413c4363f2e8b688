use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::action::Action;
use crate::ids::{AuditId, UserId};

/// An action to record.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    pub action: Action,
    /// The target; its type is the action's noun.
    pub target: Uuid,
    /// The target's owner.
    pub person: Option<UserId>,
    /// The changed fields before; `null` if the target is new.
    pub before: Value,
    /// The changed fields after; `null` if the target was deleted.
    pub after: Value,
}

impl Act {
    #[must_use]
    pub fn new(action: Action, target: impl Into<Uuid>) -> Self {
        Self { action, target: target.into(), person: None, before: Value::Null, after: Value::Null }
    }

    #[must_use]
    pub fn of(mut self, person: UserId) -> Self {
        self.person = Some(person);
        self
    }

    #[must_use]
    pub fn before(mut self, before: Value) -> Self {
        self.before = before;
        self
    }

    #[must_use]
    pub fn after(mut self, after: Value) -> Self {
        self.after = after;
        self
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    pub id: AuditId,
    /// `None` for the command line.
    pub admin: Option<UserId>,
    pub act: Act,
    pub request_id: Option<String>,
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// The conditions of a list; `None` matches everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct AuditFilter {
    pub admin: Option<UserId>,
    pub action: Option<Action>,
    /// The target or its owner.
    pub target: Option<Uuid>,
    /// Inclusive.
    pub from: Option<DateTime<Utc>>,
    /// Exclusive.
    pub to: Option<DateTime<Utc>>,
}
