//! Payment providers: they take the money and give it back. The platform never sees a card.
//!
//! Every call names a row of ours that exists already, and its id is the idempotency key: a repeated call has the effect
//! of the first. After a lost answer the provider is asked what became of it.

mod agreements;
mod call;
mod card_form;
mod clients;
mod paypal;
mod test_provider;
mod toss;

pub(in crate::billing) use agreements::{AgreementProvider, agreements_at};
pub(in crate::billing) use call::{
    AgreementReport, AgreementStatus, CallError, CardReport, NewAgreement, NewCard, NewPayment, OpenedCard,
    OpenedPayment, PaymentCall, ProviderReport, ProviderSale, RefundExtent, SavedCard, SavedCardDetails,
};
pub use call::{CardWindow, DeclineReason, ProviderName, TossWindow};
pub use card_form::CardForm;
pub use clients::PaymentClients;
pub use paypal::PayPalSignature;
pub(in crate::billing) use paypal::{PayPal, PayPalSubject, subject_of as paypal_subject_of};
pub use test_provider::{TestAgreement, TestAgreementAnswer, TestAgreementState};
pub use test_provider::{TestAnswer, TestPayment, TestPaymentState};
pub use test_provider::{TestCard, TestCardAnswer, TestCardState};
pub(in crate::billing) use test_provider::{answer as answer_test_payment, answer_agreement as answer_test_agreement};
pub use test_provider::{
    answer_card as answer_test_card, find as find_test_payment, find_agreement as find_test_agreement,
    find_card as find_test_card,
};

use secrecy::SecretString;
use uuid::Uuid;

use self::toss::Toss;
use super::money::{Currency, Money};
use crate::Core;

/// Whether something can be bought in this currency.
#[must_use]
pub fn can_buy_in(core: &Core, currency: Currency) -> bool {
    provider_for(core, currency).is_some()
}

/// The provider for a currency; `None` if none is set up.
pub(in crate::billing) fn provider_for(core: &Core, currency: Currency) -> Option<ProviderName> {
    let real = match currency {
        Currency::Krw => ProviderName::TossPayments,
        Currency::Usd => ProviderName::PayPal,
    };
    if core.payment_clients.has(real) {
        return Some(real);
    }
    core.settings.payments.test_provider.then_some(ProviderName::Test)
}

/// Whether a provider's account is configured.
pub(in crate::billing) fn is_set_up(core: &Core, provider: ProviderName) -> bool {
    core.payment_clients.has(provider)
}

/// Whether PayPal has sent this notice.
pub(in crate::billing) async fn has_paypal_sent(
    core: &Core,
    signature: &PayPalSignature,
    body: &str,
) -> Result<bool, CallError> {
    core.payment_clients.paypal()?.has_sent(signature, body).await
}

/// PayPal, for its own plans.
///
/// # Errors
/// [`CallError::Unknown`] if it is not set up.
pub(in crate::billing) fn paypal(core: &Core) -> Result<&PayPal, CallError> {
    core.payment_clients.paypal()
}

/// The provider that charges plans of a currency by its own calendar: PayPal, or the test provider in its place. `None`
/// where the platform charges saved cards, and if none is set up.
pub(in crate::billing) fn agreement_provider_for(core: &Core, currency: Currency) -> Option<ProviderName> {
    if currency.has_saved_cards() { None } else { provider_for(core, currency) }
}

/// The provider that saves cards for a currency; `None` if there is none.
pub(in crate::billing) fn card_provider_for(core: &Core, currency: Currency) -> Option<ProviderName> {
    if currency.has_saved_cards() { provider_for(core, currency) } else { None }
}

/// A provider's side of payments. The names of `self` stand in orders, so that an order stays with its provider.
impl ProviderName {
    /// Whether it only charges saved cards.
    pub(in crate::billing) fn needs_card(self) -> bool {
        self == Self::TossPayments
    }

    pub(in crate::billing) async fn open(self, core: &Core, new: &NewPayment<'_>) -> Result<OpenedPayment, CallError> {
        match self {
            Self::Test => test_provider::open(core, new).await,
            Self::TossPayments => Toss::open(new),
            Self::PayPal => core.payment_clients.paypal()?.open(core, new).await,
        }
    }

    pub(in crate::billing) async fn report(
        self,
        core: &Core,
        call: &PaymentCall<'_>,
    ) -> Result<ProviderReport, CallError> {
        match self {
            Self::Test => test_provider::report(core, call).await,
            Self::TossPayments => core.payment_clients.toss()?.report(call).await,
            Self::PayPal => core.payment_clients.paypal()?.report(call).await,
        }
    }

    /// Charges an approved payment, or a saved card.
    pub(in crate::billing) async fn charge(
        self,
        core: &Core,
        call: &PaymentCall<'_>,
    ) -> Result<ProviderReport, CallError> {
        match self {
            Self::Test => test_provider::charge(core, call).await,
            Self::TossPayments => core.payment_clients.toss()?.charge(call).await,
            Self::PayPal => core.payment_clients.paypal()?.charge(call).await,
        }
    }

    /// Ends a payment that was not charged.
    pub(in crate::billing) async fn drop_payment(self, core: &Core, call: &PaymentCall<'_>) -> Result<(), CallError> {
        match self {
            Self::Test => test_provider::void(core, call).await,
            // They end by themselves: neither is charged without a call of ours.
            Self::TossPayments | Self::PayPal => Ok(()),
        }
    }

    /// Gives back a part of a charge, or the whole; `key` is the idempotency key.
    pub(in crate::billing) async fn refund(
        self,
        core: &Core,
        key: Uuid,
        charge: &str,
        money: Money,
    ) -> Result<(), CallError> {
        match self {
            Self::Test => test_provider::refund(core, key, charge, money).await,
            Self::TossPayments => core.payment_clients.toss()?.refund(key, charge, money).await,
            Self::PayPal => core.payment_clients.paypal()?.refund(key, charge, money).await,
        }
    }

    /// The money of a charge that was given back, at our request or without it; `None` for a part of which none of these
    /// refunds tells. `refunds` are the provider's ids.
    pub(in crate::billing) async fn refunded_amount(
        self,
        core: &Core,
        charge: &str,
        refunds: &[String],
        price: Money,
    ) -> Result<Option<i64>, CallError> {
        match self {
            Self::PayPal => core.payment_clients.paypal()?.refunded_amount(charge, refunds, price).await,
            Self::TossPayments => core.payment_clients.toss()?.refunded_amount(charge).await,
            // It gives nothing back by itself.
            Self::Test => Ok(Some(0)),
        }
    }

    /// Begins to save a card.
    pub(in crate::billing) async fn open_card(self, core: &Core, new: &NewCard<'_>) -> Result<OpenedCard, CallError> {
        match self {
            Self::Test => test_provider::open_card(core, new).await,
            Self::TossPayments => Ok(core.payment_clients.toss()?.open_card(core, new)),
            Self::PayPal => Err(self.saves_no_cards()),
        }
    }

    /// Asks for the card that the user has entered at the provider. `auth_key` is what the provider's window returned.
    pub(in crate::billing) async fn finish_card(
        self,
        core: &Core,
        reference: &str,
        auth_key: Option<&SecretString>,
    ) -> Result<CardReport, CallError> {
        match self {
            Self::Test => test_provider::finish_card(core, reference).await,
            Self::TossPayments => core.payment_clients.toss()?.finish_card(reference, auth_key).await,
            Self::PayPal => Err(self.saves_no_cards()),
        }
    }

    /// Saves a card that the user has entered at a form of ours.
    pub(in crate::billing) async fn save_card(
        self,
        core: &Core,
        reference: &str,
        form: &CardForm,
    ) -> Result<CardReport, CallError> {
        match self {
            Self::TossPayments => core.payment_clients.toss()?.save_card(reference, form).await,
            Self::Test | Self::PayPal => Err(self.saves_no_cards()),
        }
    }

    /// Deletes a billing key. The call succeeds also if the provider does not know it any more.
    pub(in crate::billing) async fn forget_card(self, core: &Core, secret: &SecretString) -> Result<(), CallError> {
        match self {
            Self::TossPayments => core.payment_clients.toss()?.forget_card(secret).await,
            Self::Test | Self::PayPal => Err(self.saves_no_cards()),
        }
    }

    /// Whether cards can be entered at a form of ours.
    pub(in crate::billing) fn has_card_form(self, core: &Core) -> bool {
        self == Self::TossPayments && core.settings.payments.toss_card_form
    }

    /// Cards are saved only by the providers of [`card_provider_for`].
    fn saves_no_cards(self) -> CallError {
        CallError::Refused(format!("{} saves no cards", self.name()))
    }
}
