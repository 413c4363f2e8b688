//! Calls to a provider, and what it answers.

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
}

/// A payment as a provider has opened it.
#[derive(Debug)]
pub(in crate::billing) struct OpenedPayment {
    pub reference: String,
    /// Where the buyer approves it.
    pub pay_at: String,
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
    /// The charge was declined.
    Declined,
    /// It ended without a charge.
    Ended,
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
