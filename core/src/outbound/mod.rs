//! Requests to URLs that users choose: fetching pictures of sign-in providers, and delivering messages. Every such
//! request must go through this module.
//!
//! Allowed are https (for messages also http and ftp, unless the operator requires https), no credentials in the URL
//! except for ftp, and few ports. Names are resolved here and refused if any address is not public; the client connects
//! to exactly these addresses, so that a later change of the name has no effect. There are no redirects, short
//! timeouts, and limited bodies. Hosts in the setting `outbound.private_hosts` are allowed regardless of their address,
//! also with plain http.

mod address;
mod delivery;
mod error;
mod ftp;
#[cfg(test)]
mod name_table;
mod resolver;
mod target;
mod timeouts;

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use reqwest::redirect::Policy;

pub use address::is_public;
pub use delivery::{DeliveryResponse, OutboundMessage, RetryAfter};
pub use error::OutboundError;
pub use target::{Purpose, Target};

use crate::settings::Settings;
use resolver::{PublicResolver, failed};
use timeouts::{CONNECT_TIMEOUT, TOTAL_TIMEOUT};

/// Idle connections per host, and how long they are kept. Many servers close them after five seconds, and a message
/// sent at that moment is lost.
const KEPT_IDLE: usize = 32;
const IDLE: Duration = Duration::from_secs(4);

/// The HTTP clients for users' URLs. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Outbound {
    /// For fetches from any thread. Connections belong to the thread that opened them and are not kept.
    http: reqwest::Client,
    /// For messages, from one thread. A kept connection leads to the address that was checked.
    posts: reqwest::Client,
    resolver: PublicResolver,
}

impl Outbound {
    pub fn new(settings: &Settings) -> crate::Result<Self> {
        let private_hosts: Arc<[String]> = settings.outbound.private_hosts.clone().into();
        Self::with(PublicResolver::new(private_hosts))
    }

    fn with(resolver: PublicResolver) -> crate::Result<Self> {
        install_tls_provider();
        let client = |kept_idle: usize| {
            reqwest::Client::builder()
                .dns_resolver(resolver.clone())
                .redirect(Policy::none())
                .connect_timeout(CONNECT_TIMEOUT)
                .timeout(TOTAL_TIMEOUT)
                // A proxy would resolve names itself.
                .no_proxy()
                .pool_max_idle_per_host(kept_idle)
                .pool_idle_timeout(IDLE)
                .build()
                .map_err(|error| crate::Error::Internal(format!("no HTTP client: {error}")))
        };
        Ok(Self { http: client(0)?, posts: client(KEPT_IDLE)?, resolver })
    }

    /// Parses a URL and checks that it is allowed for this purpose.
    pub fn target(&self, url: &str, purpose: Purpose) -> Result<Target, OutboundError> {
        let target = Target::parse(url, purpose, self.resolver.private_hosts())?;
        if target.url().scheme() == "ftp" {
            ftp::check(target.url())?;
        }
        Ok(target)
    }

    /// Delivers a message: http and https post it, ftp uploads it as a file. Any status is a response; at most `limit`
    /// bytes of its body are kept.
    pub async fn deliver(
        &self,
        target: &Target,
        message: OutboundMessage<'_>,
        limit: usize,
    ) -> Result<DeliveryResponse, OutboundError> {
        match target.url().scheme() {
            "ftp" => ftp::upload(target.url(), message, limit, &self.resolver).await,
            _ => delivery::post(&self.posts, target.url(), message, limit).await,
        }
    }

    /// Fetches a body of at most `limit` bytes.
    pub async fn get(&self, url: &str, limit: usize) -> Result<Bytes, OutboundError> {
        let target = self.target(url, Purpose::Fetch)?;
        let answer = self.http.get(target.url().clone()).send().await.map_err(failed)?;
        if !answer.status().is_success() {
            return Err(OutboundError::Status(answer.status().as_u16()));
        }
        if answer.content_length().is_some_and(|length| length > limit as u64) {
            return Err(OutboundError::TooLarge(limit));
        }
        // The stated length may be wrong, so received bytes are counted.
        let mut body = BytesMut::new();
        let mut stream = answer.bytes_stream();
        while let Some(piece) = stream.next().await {
            let piece = piece.map_err(failed)?;
            if body.len() + piece.len() > limit {
                return Err(OutboundError::TooLarge(limit));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body.freeze())
    }
}

/// A client for services that the operator has configured, without these restrictions.
pub fn trusted_client() -> crate::Result<reqwest::Client> {
    install_tls_provider();
    reqwest::Client::builder()
        .redirect(Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(TOTAL_TIMEOUT)
        .pool_max_idle_per_host(0)
        .user_agent("verdigraph")
        .build()
        .map_err(|error| crate::Error::Internal(format!("no HTTP client: {error}")))
}

/// Installs ring as the TLS provider, unless there is one.
fn install_tls_provider() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // On error, another thread has installed the same provider.
        drop(rustls::crypto::ring::default_provider().install_default());
    }
}

/// Removes credentials from a URL, for display.
#[must_use]
pub fn without_credentials(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://***@{host}{path}"),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests;
