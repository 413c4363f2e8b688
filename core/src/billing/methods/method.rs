//! A saved card.

use chrono::{DateTime, Utc};

use crate::billing::money::Currency;
use crate::billing::providers::{CardWindow, ProviderName};
use crate::ids::{PaymentMethodId, UserId};
use crate::word_list::word_list;

word_list! {
    /// The state of a payment method.
    pub enum PaymentMethodState for "state" {
        /// The user is at the provider's window.
        Opening,
        Usable,
        Removed,
    }
}

/// A card that a provider charges for us. Its number is unknown here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentMethod {
    pub id: PaymentMethodId,
    pub user: UserId,
    pub provider: ProviderName,
    pub state: PaymentMethodState,
    /// The masked number.
    pub label: String,
    pub issuer: String,
    pub currency: Currency,
    /// Whether it is charged first; see [`super::usable`].
    pub is_default: bool,
    pub created_at: DateTime<Utc>,
}

impl PaymentMethod {
    /// The last four characters of the card's number, of which a provider may hide some; `None` after the account was
    /// deleted.
    #[must_use]
    pub fn last_four(&self) -> Option<String> {
        let (at, _) = self.label.char_indices().rev().filter(|(_, c)| *c != '-').nth(3)?;
        self.label.get(at..).map(|end| end.replace('-', ""))
    }
}

/// A payment method that was begun, and where the user enters the card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentMethodWindow {
    pub id: PaymentMethodId,
    pub window: CardWindow,
    /// Whether the card can be entered at a form of ours too.
    pub has_card_form: bool,
}
