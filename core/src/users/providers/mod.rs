//! Those at whom people may sign in instead of with a password of ours.

mod discord;
mod exchange;
mod google;
mod provider;
mod rs256;

use secrecy::SecretString;

pub(super) use exchange::Secrets;
pub use provider::Provider;
pub(super) use provider::Told;

use crate::settings::Settings;
use crate::{Clock, Error, Result, outbound};

use discord::Discord;
use google::Google;

/// Clients of the configured providers. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Providers {
    google: Option<Google>,
    discord: Option<Discord>,
    /// Where people come back to, without the provider's name at the end.
    back: String,
}

impl Providers {
    pub fn new(settings: &Settings) -> Result<Self> {
        let http = outbound::vendors()?;
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

    /// Where the browser is sent.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a provider that is not configured; [`Error::Unavailable`] for one that does not answer.
    pub async fn way_in(&self, provider: Provider, secrets: &Secrets<'_>, clock: &Clock) -> Result<String> {
        let back = self.back(provider);
        match provider {
            Provider::Google => offered(&self.google)?.way_in(secrets, &back, clock.now()).await,
            Provider::Discord => Ok(offered(&self.discord)?.way_in(secrets, &back)),
        }
    }

    /// Whom the provider tells for this code.
    ///
    /// # Errors
    /// [`exchange::refused`] where the code or the answer is not what was asked for; [`exchange::no_email`];
    /// [`Error::Unavailable`].
    pub async fn told(
        &self,
        provider: Provider,
        code: &SecretString,
        nonce: &str,
        verifier: &str,
        clock: &Clock,
    ) -> Result<Told> {
        let back = self.back(provider);
        match provider {
            Provider::Google => offered(&self.google)?.told(code, nonce, verifier, &back, clock.now()).await,
            Provider::Discord => offered(&self.discord)?.told(code, verifier, &back).await,
        }
    }

    fn back(&self, provider: Provider) -> String {
        format!("{}/{}", self.back, provider.path())
    }
}

fn offered<T>(provider: &Option<T>) -> Result<&T> {
    provider.as_ref().ok_or(Error::NotFound { what: "sign-in provider" })
}
