//! The clients of the providers that are set up.

use super::call::{CallError, ProviderName};
use super::toss::Toss;
use crate::settings::Settings;
use crate::{Result, outbound};

/// Clients of the configured payment providers.
pub struct PaymentClients {
    toss: Option<Toss>,
}

impl PaymentClients {
    /// # Errors
    /// If there is no HTTP client.
    pub fn new(settings: &Settings) -> Result<Self> {
        let http = outbound::trusted_client()?;
        Ok(Self { toss: Toss::new(&settings.payments, &http) })
    }

    /// Whether a provider is set up.
    pub(super) fn has(&self, provider: ProviderName) -> bool {
        match provider {
            ProviderName::TossPayments => self.toss.is_some(),
            ProviderName::PayPal | ProviderName::Test => false,
        }
    }

    pub(super) fn toss(&self) -> Result<&Toss, CallError> {
        self.toss.as_ref().ok_or_else(|| CallError::Unknown("Toss is not set up".into()))
    }
}
