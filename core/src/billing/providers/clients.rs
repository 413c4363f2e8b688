//! The clients of the providers that are set up.

use super::call::{CallError, ProviderName};
use super::paypal::PayPal;
use super::toss::Toss;
use crate::settings::Settings;
use crate::{Clock, Result, outbound};

/// Clients of the configured payment providers.
pub struct PaymentClients {
    paypal: Option<PayPal>,
    toss: Option<Toss>,
}

impl PaymentClients {
    /// # Errors
    /// If there is no HTTP client.
    pub fn new(settings: &Settings, clock: &Clock) -> Result<Self> {
        let http = outbound::trusted_client()?;
        let payments = &settings.payments;
        Ok(Self { paypal: PayPal::new(payments, clock, &http), toss: Toss::new(payments, &http) })
    }

    /// Whether a provider is set up.
    pub(super) fn has(&self, provider: ProviderName) -> bool {
        match provider {
            ProviderName::TossPayments => self.toss.is_some(),
            ProviderName::PayPal => self.paypal.is_some(),
            ProviderName::Test => false,
        }
    }

    pub(super) fn paypal(&self) -> Result<&PayPal, CallError> {
        self.paypal.as_ref().ok_or_else(|| CallError::Unknown("PayPal is not set up".into()))
    }

    pub(super) fn toss(&self) -> Result<&Toss, CallError> {
        self.toss.as_ref().ok_or_else(|| CallError::Unknown("Toss is not set up".into()))
    }
}
