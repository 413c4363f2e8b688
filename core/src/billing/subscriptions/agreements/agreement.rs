//! The provider's side of a subscription.

use chrono::{DateTime, Utc};

use crate::billing::providers::ProviderName;
use crate::ids::SubscriptionId;
use crate::word_list::word_list;

word_list! {
    /// The state of an agreement, as far as it is known; see `state`.
    pub enum AgreementState for "state" { Opening, Open, Canceling, Over }
}

/// What the provider charges each month for a subscription.
#[derive(Debug, Clone)]
pub(super) struct ProviderAgreement {
    pub subscription: SubscriptionId,
    /// PayPal, or the test provider in its place.
    pub provider: ProviderName,
    pub state: AgreementState,
    /// The provider's id; `None` before its answer.
    pub reference: Option<String>,
    pub created_at: DateTime<Utc>,
    /// When the provider is asked next.
    pub ask_at: Option<DateTime<Utc>>,
}

/// A plan at PayPal.
#[derive(Debug, Clone)]
pub(super) struct PayPalPlan {
    /// The idempotency key of its calls.
    pub id: uuid::Uuid,
    /// PayPal's ids; `None` before its answers.
    pub product: Option<String>,
    pub reference: Option<String>,
}
