//! A person.

use chrono::{DateTime, Utc};

use super::ban::Ban;
use super::providers::Provider;
use crate::ids::{AssetId, UserId};
use crate::language::Language;

/// The name of everybody who left, and of nobody else; pages show it in the reader's language.
pub const DELETED_NAME: &str = "Deleted user";

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// In lower case.
    pub email: String,
    pub name: String,
    /// Tells apart people of the same name; see [`User::name_tag`].
    pub tag: i32,
    pub language: Language,
    pub is_admin: bool,
    /// Name of a plan of the settings.
    pub plan: String,
    pub profile: Option<AssetId>,
    pub created_at: DateTime<Utc>,
    /// Whether they have shown that they read the address.
    pub email_verified: bool,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Where else they sign in.
    pub providers: Vec<Provider>,
    /// The last ban that was not lifted; it may be over. See [`User::ban_at`].
    pub ban: Option<Ban>,
}

impl User {
    /// `#1234`.
    #[must_use]
    pub fn name_tag(&self) -> String {
        format!("#{:04}", self.tag)
    }

    /// The specification's roles.
    #[must_use]
    pub fn roles(&self) -> &'static [&'static str] {
        if self.is_admin { &["Customer", "Admin"] } else { &["Customer"] }
    }

    /// The ban that holds at this time.
    #[must_use]
    pub fn ban_at(&self, now: DateTime<Utc>) -> Option<&Ban> {
        self.ban.as_ref().filter(|ban| ban.until.is_none_or(|until| until > now))
    }
}
