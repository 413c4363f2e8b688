//! Saved cards and subscriptions in an export.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::billing::{PaymentMethod, PaymentMethodState, Subscription};

use crate::views::words::{CurrencyWord, EndReasonWord, PaidWithWord, PaymentProviderWord, SubscriptionStatusWord};

/// A card that the user has saved. Its billing key is not part of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportedCard {
    #[serde(rename = "_id")]
    id: Uuid,
    provider: PaymentProviderWord,
    /// The brand or the bank, as the provider names it.
    brand: String,
    last_four: Option<String>,
    currency: CurrencyWord,
    is_default: bool,
    is_removed: bool,
    created_at: DateTime<Utc>,
}

impl From<PaymentMethod> for ExportedCard {
    fn from(method: PaymentMethod) -> Self {
        Self {
            id: method.id.0,
            provider: method.provider.into(),
            last_four: method.last_four(),
            brand: method.issuer,
            currency: method.currency.into(),
            is_default: method.is_default,
            is_removed: method.state == PaymentMethodState::Removed,
            created_at: method.created_at,
        }
    }
}

/// A plan that the user has paid by the month. The orders have each paid period.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportedSubscription {
    #[serde(rename = "_id")]
    id: Uuid,
    plan: String,
    status: SubscriptionStatusWord,
    paid_with: PaidWithWord,
    /// The price of a month, in the smallest unit of the currency.
    amount: i64,
    currency: CurrencyWord,
    /// Paid periods.
    periods: i32,
    period_from: DateTime<Utc>,
    period_until: DateTime<Utc>,
    is_canceled: bool,
    next_plan: Option<String>,
    next_amount: Option<i64>,
    created_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    end_reason: Option<EndReasonWord>,
}

impl From<Subscription> for ExportedSubscription {
    fn from(subscription: Subscription) -> Self {
        let next = subscription.coming_plan().cloned();
        Self {
            id: subscription.id.0,
            plan: subscription.plan,
            status: subscription.status.into(),
            paid_with: subscription.paid_with.into(),
            amount: subscription.price.amount,
            currency: subscription.price.currency.into(),
            periods: subscription.period,
            period_from: subscription.from,
            period_until: subscription.until,
            is_canceled: subscription.is_canceled,
            next_amount: next.as_ref().map(|next| next.amount),
            next_plan: next.map(|next| next.plan),
            created_at: subscription.created_at,
            ended_at: subscription.ended_at,
            end_reason: subscription.end_reason.map(Into::into),
        }
    }
}
