//! An agreement in the books of the test provider. Pure: no clock, no database.
//!
//! ```text
//!   Created ──▶ Active ──▶ Suspended ──▶ Ended
//!      │          └───────────────────────▲
//!      └──────────────────────────────────┘
//! ```

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::billing::money::Money;
use crate::word_list::word_list;

/// After so many failed charges an agreement is suspended, as at PayPal.
const FAILED_CHARGES: i32 = 3;

word_list! {
    /// The state of an agreement at the test provider.
    pub enum TestAgreementState for "state" {
        Created,
        Active,
        /// Its charges failed too often.
        Suspended,
        Ended,
    }
}

word_list! {
    /// What is pressed on the page of a test agreement.
    pub enum TestAgreementAnswer for "answer" {
        /// The buyer approves it, and its first month is charged.
        Approve,
        Decline,
        /// As `Approve`, and the first answer about it is lost.
        Hang,
        /// As `Approve`, and the notice comes twice.
        Twice,
        /// The next month is charged.
        Charge,
        /// The charge of the next month fails.
        Fail,
        /// The buyer cancels it at the provider.
        Cancel,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestAgreement {
    pub id: Uuid,
    pub description: String,
    /// The price of a month.
    pub price: Money,
    pub return_url: String,
    pub cancel_url: String,
    pub state: TestAgreementState,
    /// Charges in a row that failed.
    pub failed: i32,
    pub created_at: DateTime<Utc>,
}

impl TestAgreement {
    /// The agreement after an answer; `None` if its state has no such answer.
    pub(super) fn after(&self, answer: TestAgreementAnswer) -> Option<Self> {
        use TestAgreementAnswer as Answer;
        use TestAgreementState as State;

        let (state, failed) = match (self.state, answer) {
            (State::Created, Answer::Approve | Answer::Hang | Answer::Twice) | (State::Active, Answer::Charge) => {
                (State::Active, 0)
            }
            (State::Created, Answer::Decline) => (State::Ended, 0),
            (State::Active, Answer::Fail) if self.failed + 1 >= FAILED_CHARGES => (State::Suspended, self.failed + 1),
            (State::Active, Answer::Fail) => (State::Active, self.failed + 1),
            (State::Active | State::Suspended, Answer::Cancel) => (State::Ended, self.failed),
            _ => return None,
        };
        Some(Self { state, failed, ..self.clone() })
    }
}

impl TestAgreementAnswer {
    /// Whether a month is charged.
    pub(super) fn takes_money(self) -> bool {
        matches!(self, Self::Approve | Self::Hang | Self::Twice | Self::Charge)
    }

    /// The notices that follow.
    pub(super) fn notices(self) -> u32 {
        if self == Self::Twice { 2 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::money::Currency;

    fn agreement(state: TestAgreementState, failed: i32) -> TestAgreement {
        TestAgreement {
            id: Uuid::nil(),
            description: "Basic".into(),
            price: Money { amount: 990, currency: Currency::Usd },
            return_url: String::new(),
            cancel_url: String::new(),
            state,
            failed,
            created_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn each_state_has_its_answers() {
        use TestAgreementAnswer::{Approve, Cancel, Charge, Decline, Fail, Hang, Twice};
        use TestAgreementState::{Active, Created, Ended, Suspended};

        let legal = [
            (Created, Approve, Active),
            (Created, Hang, Active),
            (Created, Twice, Active),
            (Created, Decline, Ended),
            (Active, Charge, Active),
            (Active, Fail, Active),
            (Active, Cancel, Ended),
            (Suspended, Cancel, Ended),
        ];
        for state in TestAgreementState::ALL {
            for answer in TestAgreementAnswer::ALL {
                let found = agreement(state, 0).after(answer).map(|after| after.state);
                let expected = legal.iter().find(|row| (row.0, row.1) == (state, answer)).map(|row| row.2);
                assert_eq!(found, expected, "{state:?} {answer:?}");
            }
        }
    }

    #[test]
    fn third_failed_charge_suspends_and_a_taken_one_counts_again() {
        let second = agreement(TestAgreementState::Active, 1).after(TestAgreementAnswer::Fail).expect("a state");
        assert_eq!((second.state, second.failed), (TestAgreementState::Active, 2));
        let paid = second.after(TestAgreementAnswer::Charge).expect("a state");
        assert_eq!((paid.state, paid.failed), (TestAgreementState::Active, 0));
        let third = second.after(TestAgreementAnswer::Fail).expect("a state");
        assert_eq!((third.state, third.failed), (TestAgreementState::Suspended, 3));
    }
}
