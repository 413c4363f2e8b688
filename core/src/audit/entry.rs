//! A line of the audit log: what it says, and which lines a list shows.

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::action::Action;
use crate::ids::{AuditId, UserId};

/// What is to be written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    pub action: Action,
    /// The thing, of the action's noun.
    pub target: Uuid,
    /// Whose it is.
    pub person: Option<UserId>,
    /// What of it was otherwise before; `null` where there was nothing.
    pub before: Value,
    /// What of it is otherwise now; `null` where nothing is left.
    pub after: Value,
}

impl Act {
    /// Something done to a thing.
    #[must_use]
    pub fn new(action: Action, target: impl Into<Uuid>) -> Self {
        Self { action, target: target.into(), person: None, before: Value::Null, after: Value::Null }
    }

    /// Whose it is.
    #[must_use]
    pub fn of(mut self, person: UserId) -> Self {
        self.person = Some(person);
        self
    }

    /// How it was before.
    #[must_use]
    pub fn before(mut self, before: Value) -> Self {
        self.before = before;
        self
    }

    /// How it is now.
    #[must_use]
    pub fn after(mut self, after: Value) -> Self {
        self.after = after;
        self
    }
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: AuditId,
    /// `None` for the command line of the platform.
    pub admin: Option<UserId>,
    pub act: Act,
    pub request_id: Option<String>,
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// Which lines a list shows; `None` leaves a thing open.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    pub admin: Option<UserId>,
    pub action: Option<Action>,
    /// The thing, or the person whose it is.
    pub target: Option<Uuid>,
    /// From then on.
    pub from: Option<DateTime<Utc>>,
    /// Before then.
    pub to: Option<DateTime<Utc>>,
}
