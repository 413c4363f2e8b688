//! Payment providers: they take the money and give it back. The platform never sees a card.
//!
//! Every call names a row of ours that exists already, and its id is the idempotency key: a repeated call has the effect
//! of the first. After a lost answer the provider is asked what became of it.

mod call;
mod test_provider;

pub use call::ProviderName;
pub(in crate::billing) use call::{CallError, NewPayment, OpenedPayment, ProviderReport};
pub(in crate::billing) use test_provider::answer as answer_test_payment;
pub use test_provider::find as find_test_payment;
pub use test_provider::{TestAnswer, TestPayment, TestPaymentState};

use uuid::Uuid;

use super::money::{Currency, Money};
use crate::Core;

/// Whether something can be bought in this currency.
#[must_use]
pub fn can_buy_in(core: &Core, currency: Currency) -> bool {
    provider_for(core, currency).is_some()
}

/// The provider for a currency; `None` if none is set up.
pub(in crate::billing) fn provider_for(core: &Core, _currency: Currency) -> Option<ProviderName> {
    core.settings.payments.test_provider.then_some(ProviderName::Test)
}

/// A provider's side of payments. The names of `self` stand in orders, so that an order stays with its provider.
impl ProviderName {
    pub(in crate::billing) async fn open(self, core: &Core, new: &NewPayment<'_>) -> Result<OpenedPayment, CallError> {
        match self {
            Self::Test => test_provider::open(core, new).await,
            Self::PayPal | Self::TossPayments => Err(self.not_set_up()),
        }
    }

    pub(in crate::billing) async fn report(self, core: &Core, reference: &str) -> Result<ProviderReport, CallError> {
        match self {
            Self::Test => test_provider::report(core, reference).await,
            Self::PayPal | Self::TossPayments => Err(self.not_set_up()),
        }
    }

    /// Charges an approved payment.
    pub(in crate::billing) async fn charge(self, core: &Core, reference: &str) -> Result<ProviderReport, CallError> {
        match self {
            Self::Test => test_provider::charge(core, reference).await,
            Self::PayPal | Self::TossPayments => Err(self.not_set_up()),
        }
    }

    /// Ends a payment that was not charged.
    pub(in crate::billing) async fn drop_payment(self, core: &Core, reference: &str) -> Result<(), CallError> {
        match self {
            Self::Test => test_provider::void(core, reference).await,
            Self::PayPal | Self::TossPayments => Err(self.not_set_up()),
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
            Self::PayPal | Self::TossPayments => Err(self.not_set_up()),
        }
    }

    fn not_set_up(self) -> CallError {
        CallError::Unknown(format!("{} is not set up", self.name()))
    }
}
