//! A payment in the books of the test provider.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::billing::money::Money;
use crate::word_list::word_list;

word_list! {
    /// The state of a payment at the test provider.
    pub enum TestPaymentState for "state" {
        Created,
        Approved,
        /// It was approved, and its charge will be declined.
        Declined,
        Captured,
        Voided,
    }
}

word_list! {
    /// What is pressed on the page of a test payment.
    pub enum TestAnswer for "answer" {
        Approve,
        Decline,
        /// The charge is taken, and the answer to it is lost.
        Hang,
        /// As `Approve`, and the notice comes twice.
        Twice,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPayment {
    pub id: Uuid,
    pub description: String,
    pub price: Money,
    pub return_url: String,
    pub cancel_url: String,
    pub state: TestPaymentState,
    pub answer: Option<TestAnswer>,
    /// The card that pays it; `None`: it is approved on its page.
    pub card: Option<Uuid>,
    pub created_at: DateTime<Utc>,
}
