//! A letter: to whom, and what it is about.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::digest::News;
use crate::language::Language;

/// A letter to somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The address, in the form that `users` keeps.
    pub to: String,
    pub language: Language,
    pub content: Content,
}

/// What a letter says. `name` is how the person is addressed; a `proof` is what the code in the letter's link stands
/// for, in the room that queues it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Content {
    /// Asks to show that the address is read.
    VerifyEmail { name: String, proof: Uuid, hours: u32 },
    /// The code that finishes a sign-up. The proof is the id of the pending sign-up.
    SignUpCode { name: String, proof: Uuid, minutes: u32 },
    /// A way to a new password.
    ResetPassword { name: String, proof: Uuid, minutes: u32 },
    /// The password is another one since now.
    PasswordChanged { name: String },
    /// Somebody wanted to sign up with the address, which has an account. `provider` is where else that account signs in,
    /// if it has no password.
    SignUpTried { name: String, provider: Option<String> },
    /// The account is gone.
    AccountDeleted { name: String },
    /// Somebody, `by`, shared a mini app, which is called `app`, and has this id.
    AppShared { name: String, by: String, app: String, id: Uuid },
    /// An app of theirs, on this workflow, has stopped working: no worker has what is `lacking`.
    AppBroken { name: String, app: String, workflow: Uuid, lacking: Vec<String> },
    /// Their webhook of this name is not served any more: its receiver is gone, or nothing reached it for days.
    WebhookDisabled { name: String, webhook: String, is_gone: bool },
    /// What was not seen in the notification box: `total` things, of which `news` names the newest. The proof is for
    /// the link that ends such letters.
    Digest { name: String, proof: Uuid, total: i64, news: Vec<News> },
}

impl Content {
    /// Its word in logs.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::VerifyEmail { .. } => "verify email",
            Self::SignUpCode { .. } => "sign-up code",
            Self::ResetPassword { .. } => "reset password",
            Self::PasswordChanged { .. } => "password changed",
            Self::SignUpTried { .. } => "sign-up tried",
            Self::AccountDeleted { .. } => "account deleted",
            Self::AppShared { .. } => "app shared",
            Self::AppBroken { .. } => "app broken",
            Self::WebhookDisabled { .. } => "webhook disabled",
            Self::Digest { .. } => "digest",
        }
    }

    pub(super) fn proof(&self) -> Option<Uuid> {
        match self {
            Self::VerifyEmail { proof, .. }
            | Self::SignUpCode { proof, .. }
            | Self::ResetPassword { proof, .. }
            | Self::Digest { proof, .. } => Some(*proof),
            Self::PasswordChanged { .. }
            | Self::SignUpTried { .. }
            | Self::AccountDeleted { .. }
            | Self::AppShared { .. }
            | Self::AppBroken { .. }
            | Self::WebhookDisabled { .. } => None,
        }
    }
}
