//! Providers that charge plans by their own calendar: PayPal, and the test provider in its place.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::call::{AgreementReport, CallError, NewAgreement, OpenedPayment, ProviderName, ProviderSale};
use super::paypal::PayPal;
use super::test_provider;
use crate::Core;
use crate::billing::money::Money;

/// A provider's side of agreements.
pub(in crate::billing) enum AgreementProvider<'a> {
    PayPal(&'a PayPal),
    Test(&'a Core),
}

/// The provider of an agreement.
///
/// # Errors
/// [`CallError::Unknown`] if PayPal is not set up; [`CallError::Refused`] for a provider without agreements.
pub(in crate::billing) fn agreements_at(
    core: &Core,
    provider: ProviderName,
) -> Result<AgreementProvider<'_>, CallError> {
    match provider {
        ProviderName::PayPal => Ok(AgreementProvider::PayPal(core.payment_clients.paypal()?)),
        ProviderName::Test => Ok(AgreementProvider::Test(core)),
        ProviderName::TossPayments => Err(CallError::Refused("Toss has no agreements".into())),
    }
}

impl AgreementProvider<'_> {
    /// Opens an agreement; `None` if the provider does not know the plan.
    pub async fn open(&self, core: &Core, new: &NewAgreement<'_>) -> Result<Option<OpenedPayment>, CallError> {
        match self {
            Self::PayPal(paypal) => paypal.open_agreement(core, new).await,
            Self::Test(_) => test_provider::open_agreement(core, new).await.map(Some),
        }
    }

    /// What the provider says of our agreement.
    pub async fn report(&self, key: Uuid, reference: &str) -> Result<AgreementReport, CallError> {
        match self {
            Self::PayPal(paypal) => paypal.agreement(key, reference).await,
            Self::Test(core) => test_provider::agreement_report(core, reference).await,
        }
    }

    /// The payments of an agreement that the provider has taken since a time, oldest first.
    pub async fn sales(
        &self,
        reference: &str,
        times: (DateTime<Utc>, DateTime<Utc>),
        price: Money,
    ) -> Result<Vec<ProviderSale>, CallError> {
        match self {
            Self::PayPal(paypal) => paypal.sales(reference, times, price).await,
            Self::Test(core) => test_provider::sales(core, reference, times).await,
        }
    }

    /// Stops an agreement: it is charged no more.
    pub async fn cancel(&self, reference: &str) -> Result<(), CallError> {
        match self {
            Self::PayPal(paypal) => paypal.cancel_agreement(reference).await,
            Self::Test(core) => test_provider::cancel_agreement(core, reference).await,
        }
    }
}
