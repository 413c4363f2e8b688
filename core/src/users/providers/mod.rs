//! Sign-in providers.

mod discord;
mod exchange;
mod google;
mod provider;
mod rs256;

use secrecy::SecretString;

pub(super) use exchange::FlowSecrets;
pub use provider::Provider;
pub(super) use provider::ProviderProfile;

use crate::settings::Settings;
use crate::{Clock, Error, Result, outbound};

use discord::Discord;
use google::Google;

/// Clients of the configured providers. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Providers {
    google: Option<Google>,
    discord: Option<Discord>,
    /// The redirect URL, without the provider's name at the end.
    back: String,
}

impl Providers {
    pub fn new(settings: &Settings) -> Result<Self> {
        let http = outbound::trusted_client()?;
        Ok(Self {
            google: Google::new(&settings.google, &http),
            discord: Discord::new(&settings.discord, &http),
            back: format!("{}/login", settings.public_url()),
        })
    }

    pub fn offered(&self) -> Vec<Provider> {
        let mut offered = Vec::new();
        offered.extend(self.google.as_ref().map(|_| Provider::Google));
        offered.extend(self.discord.as_ref().map(|_| Provider::Discord));
        offered
    }

    /// Where to redirect the browser.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a provider that is not configured; [`Error::Unavailable`] if it does not answer.
    pub async fn authorization_url(
        &self,
        provider: Provider,
        secrets: &FlowSecrets<'_>,
        clock: &Clock,
    ) -> Result<String> {
        let back = self.back(provider);
        match provider {
            Provider::Google => offered(&self.google)?.authorization_url(secrets, &back, clock.now()).await,
            Provider::Discord => Ok(offered(&self.discord)?.authorization_url(secrets, &back)),
        }
    }

    /// The user's profile for this code.
    ///
    /// # Errors
    /// [`exchange::refused`] for a refused code or an unexpected answer; [`exchange::no_email`];
    /// [`Error::Unavailable`].
    pub async fn fetch_profile(
        &self,
        provider: Provider,
        code: &SecretString,
        nonce: &str,
        verifier: &str,
        clock: &Clock,
    ) -> Result<ProviderProfile> {
        let back = self.back(provider);
        match provider {
            Provider::Google => offered(&self.google)?.fetch_profile(code, nonce, verifier, &back, clock.now()).await,
            Provider::Discord => offered(&self.discord)?.fetch_profile(code, verifier, &back).await,
        }
    }

    fn back(&self, provider: Provider) -> String {
        format!("{}/{}", self.back, provider.path())
    }
}

fn offered<T>(provider: &Option<T>) -> Result<&T> {
    provider.as_ref().ok_or(Error::NotFound { what: "sign-in provider" })
}
