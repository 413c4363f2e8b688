//! Subscriptions: plans that are paid by the month.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::billing::{
    ChargeDay, ChargeSum, PlanChange, SubscriptionDetails, SubscriptionStatus, TestAgreement,
};
use verdigraph_core::settings::{Plan, Settings};

use super::orders::OrderView;
use super::payment_methods::PaymentMethodView;
use super::users::UserCard;
use super::words::{
    ChangeTimeWord, CurrencyWord, EndReasonWord, PaidWithWord, SubscriptionStatusWord, TestAgreementStateWord,
};
use crate::openapi::ToSchema;

/// A plan that is paid by the month.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaidSubscriptionView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub plan: String,
    /// `Pending`: the first payment is under way. `PastDue`: the last charge failed, and is tried again at `nextTryAt`.
    pub status: SubscriptionStatusWord,
    pub paid_with: PaidWithWord,
    /// Where the buyer approves it at PayPal, while it is `Pending`; `null` for admins.
    pub pay_at: Option<String>,
    /// The page of its agreement, once the test provider charges it in PayPal's place; `null` for admins.
    pub test_page: Option<String>,
    /// Whether it ends at `periodUntil`.
    pub is_canceled: bool,
    pub end_reason: Option<EndReasonWord>,
    /// The price of a month, in the smallest unit of the currency.
    pub amount: i64,
    pub currency: CurrencyWord,
    /// The credits of a month.
    pub credits: i64,
    pub period_from: DateTime<Utc>,
    /// The next payment, or the end.
    pub period_until: DateTime<Utc>,
    /// The plan from `periodUntil` on, if it changes.
    pub next_plan: Option<String>,
    pub next_amount: Option<i64>,
    /// Charges of the next month that failed.
    pub tries: i32,
    pub next_try_at: Option<DateTime<Utc>>,
    /// The card that is charged next; `null` for admins, with PayPal, and if there is none.
    pub method: Option<PaymentMethodView>,
    /// The newest order.
    pub order: Option<OrderView>,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

impl PaidSubscriptionView {
    /// The view, with what the plan gives by these settings.
    #[must_use]
    pub fn new(details: SubscriptionDetails, settings: &Settings) -> Self {
        let SubscriptionDetails { subscription, order, method, pay_at, test_page } = details;
        let is_past_due = subscription.status == SubscriptionStatus::PastDue;
        let next = subscription.coming_plan().cloned();
        Self {
            id: subscription.id.0,
            credits: Plan::monthly_credits_of(&settings.plans, &subscription.plan),
            plan: subscription.plan,
            status: subscription.status.into(),
            paid_with: subscription.paid_with.into(),
            pay_at,
            test_page,
            is_canceled: subscription.is_canceled,
            end_reason: subscription.end_reason.map(Into::into),
            amount: subscription.price.amount,
            currency: subscription.price.currency.into(),
            period_from: subscription.from,
            period_until: subscription.until,
            next_amount: next.as_ref().map(|next| next.amount),
            next_plan: next.map(|next| next.plan),
            tries: subscription.tries,
            next_try_at: subscription.due_at.filter(|_| is_past_due),
            method: method.map(Into::into),
            order: order.map(Into::into),
            created_at: subscription.created_at,
            ended_at: subscription.ended_at,
        }
    }
}

/// The caller's subscription.
#[derive(Debug, Serialize, ToSchema)]
pub struct CurrentSubscriptionView {
    /// The live one, or the last one that ended within 30 days.
    pub subscription: Option<PaidSubscriptionView>,
}

/// A subscription as admins see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdminSubscriptionView {
    #[serde(flatten)]
    pub subscription: PaidSubscriptionView,
    pub user: Option<UserCard>,
}

/// What a change of plan costs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanChangeView {
    pub plan: String,
    pub when: ChangeTimeWord,
    /// What is paid at once: the difference for the days that are left, rounded down.
    pub amount: i64,
    pub currency: CurrencyWord,
    /// Credits that are given at once.
    pub credits: i64,
    /// Whole days of the period that are left.
    pub days_left: i64,
    pub days_of_period: i64,
    /// When the plan begins.
    pub at: DateTime<Utc>,
    /// The price of each month that follows.
    pub next_amount: i64,
}

impl From<PlanChange> for PlanChangeView {
    fn from(change: PlanChange) -> Self {
        Self {
            plan: change.plan,
            when: change.when.into(),
            amount: change.price.amount,
            currency: change.price.currency.into(),
            credits: change.credits,
            days_left: change.days_left,
            days_of_period: change.days_of_period,
            at: change.at,
            next_amount: change.next_amount,
        }
    }
}

/// Charges of one day in one currency.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChargeSumView {
    pub currency: CurrencyWord,
    pub count: i64,
    /// In the smallest unit of the currency.
    pub amount: i64,
}

impl From<ChargeSum> for ChargeSumView {
    fn from(ChargeSum { currency, count, amount }: ChargeSum) -> Self {
        Self { currency: currency.into(), count, amount }
    }
}

/// What is charged on one day of UTC.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChargeDayView {
    pub day: NaiveDate,
    /// Charges of subscriptions that go on: the next one of each, and one in each later month.
    pub planned: Vec<ChargeSumView>,
    pub paid: Vec<ChargeSumView>,
    /// Orders that failed.
    pub failed: i64,
}

impl From<ChargeDay> for ChargeDayView {
    fn from(day: ChargeDay) -> Self {
        let sums = |sums: Vec<ChargeSum>| sums.into_iter().map(Into::into).collect();
        Self { day: day.day, planned: sums(day.planned), paid: sums(day.paid), failed: day.failed }
    }
}

/// The charges of a month.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionCalendarView {
    /// As in the query.
    pub month: String,
    /// All days of the month.
    pub days: Vec<ChargeDayView>,
}

/// An agreement at the test provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestAgreementView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub description: String,
    /// The price of a month, in the smallest unit of the currency.
    pub amount: i64,
    pub currency: CurrencyWord,
    pub state: TestAgreementStateWord,
    /// Charges in a row that failed.
    pub failed: i32,
    /// Where the browser goes to cancel.
    pub cancel_url: String,
}

impl From<TestAgreement> for TestAgreementView {
    fn from(agreement: TestAgreement) -> Self {
        Self {
            id: agreement.id,
            description: agreement.description,
            amount: agreement.price.amount,
            currency: agreement.price.currency.into(),
            state: agreement.state.into(),
            failed: agreement.failed,
            cancel_url: agreement.cancel_url,
        }
    }
}
