//! A card in the books of the test provider.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::word_list::word_list;

word_list! {
    /// The state of a card at the test provider.
    pub enum TestCardState for "state" { Created, Saved }
}

word_list! {
    /// What a test card does with its charges, as pressed on its page.
    pub enum TestCardAnswer for "answer" {
        Works,
        /// Every charge is declined.
        Declines,
        /// The first charge is taken, and later ones are declined.
        DeclinesLater,
        /// Charges are taken, and the first answer to each is lost.
        Hangs,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCard {
    pub id: Uuid,
    pub return_url: String,
    pub cancel_url: String,
    /// `None`: it is not saved.
    pub answer: Option<TestCardAnswer>,
    pub created_at: DateTime<Utc>,
}

impl TestCard {
    #[must_use]
    pub fn state(&self) -> TestCardState {
        if self.answer.is_some() { TestCardState::Saved } else { TestCardState::Created }
    }
}
