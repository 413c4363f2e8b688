//! A mail: recipient, language and content.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::digest::DigestItem;
use super::receipt::{Receipt, ReceiptRefund};
use crate::language::Language;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    /// The address in the normalized form of `users`.
    pub to: String,
    pub language: Language,
    pub content: Content,
}

/// The content of a mail. `name` addresses the recipient; a `proof` is what the code in the mail proves, in the room
/// that queues it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Content {
    /// Asks the user to confirm the address.
    VerifyEmail {
        name: String,
        proof: Uuid,
        hours: u32,
    },
    /// The code that finishes a sign-up. The proof is the id of the pending sign-up.
    SignUpCode {
        name: String,
        proof: Uuid,
        minutes: u32,
    },
    /// A link to choose a new password.
    ResetPassword {
        name: String,
        proof: Uuid,
        minutes: u32,
    },
    PasswordChanged {
        name: String,
    },
    /// A sign-up was attempted with the address of an existing account. `provider` is the account's sign-in provider if
    /// it has no password.
    SignUpTried {
        name: String,
        provider: Option<String>,
    },
    AccountDeleted {
        name: String,
    },
    /// A user, `by`, shared the mini app `app` with this id.
    AppShared {
        name: String,
        by: String,
        app: String,
        id: Uuid,
    },
    /// The recipient's app on this workflow no longer works: no worker provides what is `lacking`.
    AppBroken {
        name: String,
        app: String,
        workflow: Uuid,
        lacking: Vec<String>,
    },
    /// The recipient's webhook was disabled: its receiver is gone, or deliveries failed for days.
    WebhookDisabled {
        name: String,
        webhook: String,
        is_gone: bool,
        /// The page of the webhook; mails from before it was added lead to the account's.
        #[serde(default = "account_webhooks")]
        page: String,
    },
    /// So many of the recipient's credits expire on a day, the first at this time.
    CreditsExpire {
        name: String,
        credits: i64,
        at: DateTime<Utc>,
    },
    /// A charge of the recipient's plan failed. It is tried again at this time; `None`: the plan has ended.
    PaymentFailed {
        name: String,
        plan: String,
        next_try: Option<DateTime<Utc>>,
    },
    /// The money of an order was taken.
    PaymentReceipt {
        name: String,
        receipt: Box<Receipt>,
    },
    /// Money of an order was given back.
    RefundReceipt {
        name: String,
        receipt: Box<Receipt>,
        refund: ReceiptRefund,
    },
    /// Unseen notifications: `total` of them, of which `news` lists the newest. The proof is for the unsubscribe link.
    Digest {
        name: String,
        proof: Uuid,
        total: i64,
        news: Vec<DigestItem>,
    },
}

impl Content {
    /// The name in logs.
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
            Self::CreditsExpire { .. } => "credits expire",
            Self::PaymentFailed { .. } => "payment failed",
            Self::PaymentReceipt { .. } => "payment receipt",
            Self::RefundReceipt { .. } => "refund receipt",
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
            | Self::WebhookDisabled { .. }
            | Self::CreditsExpire { .. }
            | Self::PaymentFailed { .. }
            | Self::PaymentReceipt { .. }
            | Self::RefundReceipt { .. } => None,
        }
    }
}

fn account_webhooks() -> String {
    "/account?tab=webhooks".to_owned()
}
