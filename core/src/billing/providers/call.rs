//! Calls to a provider, and what it answers.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use uuid::Uuid;

use crate::Error;
use crate::billing::money::Money;
use crate::word_list::word_list;

word_list! {
    /// A payment provider.
    pub enum ProviderName for "provider" {
        /// A page of our own that moves no money; see the setting `payments.test_provider`.
        Test,
        PayPal,
        TossPayments,
    }
}

/// A payment to open.
#[derive(Debug)]
pub(in crate::billing) struct NewPayment<'a> {
    /// Our payment, and the idempotency key.
    pub key: Uuid,
    pub description: &'a str,
    pub price: Money,
    /// Pages of ours, below the platform's address, for a buyer who comes back or cancels.
    pub return_path: &'a str,
    pub cancel_path: &'a str,
    /// The card to charge; `None`: the buyer approves the payment at the provider.
    pub card: Option<&'a SavedCard>,
}

/// A payment as a provider has opened it.
#[derive(Debug)]
pub(in crate::billing) struct OpenedPayment {
    pub reference: String,
    /// Where the buyer approves it; `None` for a saved card.
    pub pay_at: Option<String>,
}

/// An open payment, for calls about it.
#[derive(Debug)]
pub(in crate::billing) struct PaymentCall<'a> {
    /// Our payment, and the idempotency key.
    pub key: Uuid,
    /// The provider's id of it.
    pub reference: &'a str,
    pub description: &'a str,
    pub price: Money,
    /// The card to charge.
    pub card: Option<&'a SavedCard>,
}

/// A card that a provider charges for us.
#[derive(Debug)]
pub(in crate::billing) struct SavedCard {
    /// The provider's id of the card or of its holder.
    pub reference: String,
    /// The billing key; `None` at the test provider, and after the card was removed.
    pub secret: Option<SecretString>,
}

/// A card to save.
#[derive(Debug)]
pub(in crate::billing) struct NewCard<'a> {
    /// Our payment method, and the idempotency key.
    pub key: Uuid,
    /// The page of ours, below the platform's address, for a user who comes back.
    pub return_path: &'a str,
}

/// A card as a provider begins to save it.
#[derive(Debug)]
pub(in crate::billing) struct OpenedCard {
    pub reference: String,
    pub window: CardWindow,
}

/// Where a user enters a card, at its provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardWindow {
    /// The browser goes to this page.
    Page(String),
    /// The provider's script opens its window.
    Toss(TossWindow),
}

/// What the script of Toss opens its window with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TossWindow {
    pub script_url: String,
    pub client_key: String,
    pub customer_key: String,
    pub success_url: String,
    pub fail_url: String,
}

/// What a provider says of a card to save.
#[derive(Debug)]
pub(in crate::billing) enum CardReport {
    Saved(SavedCardDetails),
    /// The user has not entered it.
    NotReady,
    /// The provider refuses the card, with this code.
    Refused(String),
}

/// A card that the provider has saved.
#[derive(Debug)]
pub(in crate::billing) struct SavedCardDetails {
    /// The masked number.
    pub label: String,
    pub issuer: String,
    /// The billing key.
    pub secret: Option<SecretString>,
}

word_list! {
    /// Why a card was declined, in the words of TossPayments.
    pub enum DeclineReason for "reason" {
        CardNumber => "INVALID_CARD_NUMBER",
        Expiration => "INVALID_CARD_EXPIRATION",
        Password => "INVALID_CARD_PASSWORD",
        Identity => "INVALID_CARD_IDENTITY",
        Stopped => "INVALID_STOPPED_CARD",
        LostOrStolen => "INVALID_CARD_LOST_OR_STOLEN",
        CardType => "NOT_SUPPORTED_CARD_TYPE",
        CardCompany => "REJECT_CARD_COMPANY",
        /// Its limit or balance.
        Limit => "REJECT_CARD_PAYMENT",
        Amount => "EXCEED_MAX_AMOUNT",
        PaymentsOfDay => "EXCEED_MAX_DAILY_PAYMENT_COUNT",
        TooLittle => "BELOW_MINIMUM_AMOUNT",
        /// The provider takes it for fraud.
        Unusual => "FDS_ERROR",
        BillingKey => "INVALID_BILL_KEY_REQUEST",
    }
}

/// What a provider says of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::billing) enum ProviderReport {
    /// The buyer has not decided.
    Waiting,
    /// It can be charged.
    Approved,
    /// The money is taken. Refunds name the charge.
    Taken { charge: String },
    /// The charge was declined, with the provider's reason if it is a known one.
    Declined(Option<DeclineReason>),
    /// It ended without a charge.
    Ended,
}

/// An agreement to open: its provider charges a plan each month.
#[derive(Debug)]
pub(in crate::billing) struct NewAgreement<'a> {
    /// Our subscription, and the idempotency key.
    pub key: Uuid,
    /// The provider's id of the plan.
    pub plan: &'a str,
    /// What a month costs.
    pub price: Money,
    /// Pages of ours, below the platform's address, for a buyer who comes back or cancels.
    pub return_path: &'a str,
    pub cancel_path: &'a str,
}

/// The state of an agreement at its provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::billing) enum AgreementStatus {
    /// The buyer has not approved it.
    Waiting,
    Active,
    /// Its charges failed too often, or it was stopped at the provider.
    Suspended,
    /// It is never charged again.
    Ended,
}

/// What a provider says of an agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::billing) struct AgreementReport {
    pub status: AgreementStatus,
    /// Charges of the due month that failed.
    pub failed: i32,
}

/// Money that a provider has taken for an agreement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::billing) struct ProviderSale {
    pub id: String,
    pub at: DateTime<Utc>,
    pub refund: RefundExtent,
}

/// How much of a payment was given back, at our request or without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::billing) enum RefundExtent {
    Nothing,
    Part,
    Whole,
}

/// Why a call has no result.
#[derive(Debug)]
pub(in crate::billing) enum CallError {
    /// The provider refused it, and did nothing.
    Refused(String),
    /// It may have had its effect.
    Unknown(String),
}

impl From<sqlx::Error> for CallError {
    fn from(error: sqlx::Error) -> Self {
        Self::Unknown(error.to_string())
    }
}

impl From<CallError> for Error {
    fn from(error: CallError) -> Self {
        let (CallError::Refused(why) | CallError::Unknown(why)) = error;
        tracing::warn!(why, "a payment provider gave no result");
        let message = "the payment provider does not answer; nothing was charged".to_owned();
        Self::Unavailable { message, retry_after_seconds: 30 }
    }
}
