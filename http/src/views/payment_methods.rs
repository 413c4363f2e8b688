//! Payment methods, and cards at the test provider.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::billing::{CardWindow, PaymentMethod, PaymentMethodWindow, TestCard, TossWindow};

use super::words::{CurrencyWord, PaymentProviderWord, TestCardStateWord};
use crate::openapi::ToSchema;

/// A saved card.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub provider: PaymentProviderWord,
    /// The masked number.
    #[schema(example = "4330-12**-****-1234")]
    pub label: String,
    /// The bank, as the provider names it.
    pub issuer: String,
    /// The currency in which it pays.
    pub currency: CurrencyWord,
    /// Whether it is charged first.
    pub is_default: bool,
    pub created_at: DateTime<Utc>,
}

impl From<PaymentMethod> for PaymentMethodView {
    fn from(method: PaymentMethod) -> Self {
        Self {
            id: method.id.0,
            provider: method.provider.into(),
            label: method.label,
            issuer: method.issuer,
            currency: method.currency.into(),
            is_default: method.is_default,
            created_at: method.created_at,
        }
    }
}

/// The caller's saved cards.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodsView {
    /// The default one first, then the newest.
    pub methods: Vec<PaymentMethodView>,
    /// Whether cards can be entered at a form of this site.
    pub has_card_form: bool,
}

/// Where a card is entered: at a page, or at the provider's window.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodWindowView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The browser goes there, and comes back to the account.
    pub page: Option<String>,
    /// What the provider's script opens its window with.
    pub toss: Option<TossWindowView>,
    /// Whether the card can be entered at a form of this site too.
    pub has_card_form: bool,
}

impl From<PaymentMethodWindow> for PaymentMethodWindowView {
    fn from(opened: PaymentMethodWindow) -> Self {
        let (page, toss) = match opened.window {
            CardWindow::Page(page) => (Some(page), None),
            CardWindow::Toss(window) => (None, Some(window.into())),
        };
        Self { id: opened.id.0, page, toss, has_card_form: opened.has_card_form }
    }
}

/// The window of TossPayments.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TossWindowView {
    pub script_url: String,
    pub client_key: String,
    pub customer_key: String,
    pub success_url: String,
    pub fail_url: String,
}

impl From<TossWindow> for TossWindowView {
    fn from(window: TossWindow) -> Self {
        let TossWindow { script_url, client_key, customer_key, success_url, fail_url } = window;
        Self { script_url, client_key, customer_key, success_url, fail_url }
    }
}

/// A card at the test provider.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestCardView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub state: TestCardStateWord,
    /// Where the browser goes to cancel.
    pub cancel_url: String,
}

impl From<TestCard> for TestCardView {
    fn from(card: TestCard) -> Self {
        Self { id: card.id, state: card.state().into(), cancel_url: card.cancel_url }
    }
}

/// Where the browser goes after a test card was saved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestCardAnsweredView {
    pub return_url: String,
}
