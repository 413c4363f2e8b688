//! Requests to addresses that somebody else has chosen: pictures of sign-in providers are fetched, messages are brought;
//! the one way out for every address that comes from outside.
//!
//! Only https (messages also by http and ftp, unless the operator demands https), no credentials in the address (but
//! ftp's), few ports. A host is resolved by us, refused if *any* of its addresses
//! is not public, and connected to at exactly those addresses: a name that changes its mind between check and
//! connection gains nothing. No redirects, short times, a limited body. Hosts that the operator names in
//! `outbound.private_hosts` are reached whatever their address is, also by plain http.

mod address;
mod blocked;
mod delivery;
mod ftp;
mod patience;
mod resolver;
mod target;

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use reqwest::redirect::Policy;

pub use address::is_public;
pub use blocked::Blocked;
pub use delivery::{Answer, Parcel, RetryAfter};
pub use target::{Purpose, Target};

use crate::settings::Settings;
use patience::{CONNECT, WHOLE};
use resolver::{PublicResolver, failed};

/// Connections to one host that wait for the next message there, and for how long; many servers close them after five
/// seconds, and a message that crosses with that is lost.
const KEPT_IDLE: usize = 32;
const IDLE: Duration = Duration::from_secs(4);

/// The guarded way out. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Outbound {
    /// Fetches, from any thread; connections belong to the thread that opened them, and are not kept.
    http: reqwest::Client,
    /// Brings messages, from the one thread that does so. A connection that is kept leads where it was checked to lead.
    posts: reqwest::Client,
    private_hosts: Arc<[String]>,
}

impl Outbound {
    /// As the settings say.
    ///
    /// # Errors
    /// Where the TLS set-up of the machine cannot be read.
    pub fn new(settings: &Settings) -> crate::Result<Self> {
        ring();
        let private_hosts: Arc<[String]> = settings.outbound.private_hosts.clone().into();
        let client = |kept_idle: usize| {
            reqwest::Client::builder()
                .dns_resolver(PublicResolver::new(Arc::clone(&private_hosts)))
                .redirect(Policy::none())
                .connect_timeout(CONNECT)
                .timeout(WHOLE)
                // A proxy would resolve the name by itself.
                .no_proxy()
                .pool_max_idle_per_host(kept_idle)
                .pool_idle_timeout(IDLE)
                .build()
                .map_err(|error| crate::Error::Internal(format!("no way out: {error}")))
        };
        Ok(Self { http: client(0)?, posts: client(KEPT_IDLE)?, private_hosts })
    }

    /// The address as one that may be asked for this.
    ///
    /// # Errors
    /// [`Blocked::Address`] or [`Blocked::Private`] for one that may not.
    pub fn target(&self, url: &str, purpose: Purpose) -> Result<Target, Blocked> {
        Target::parse(url, purpose, &self.private_hosts)
    }

    /// Brings a message: posted by http and https, uploaded as a file by ftp. Whatever answers has answered, with any
    /// status; of its words at most `limit` bytes are kept.
    ///
    /// # Errors
    /// [`Blocked::Private`] for a name that leads inside, [`Blocked::Address`] for an ftp address that cannot be said in
    /// ftp, and [`Blocked::NoAnswer`].
    pub async fn deliver(&self, target: &Target, parcel: Parcel<'_>, limit: usize) -> Result<Answer, Blocked> {
        match target.url().scheme() {
            "ftp" => ftp::upload(target.url(), parcel, limit, &self.private_hosts).await,
            _ => delivery::post(&self.posts, target.url(), parcel, limit).await,
        }
    }

    /// The body that is behind the address, of at most `limit` bytes.
    ///
    /// # Errors
    /// Any of [`Blocked`].
    pub async fn get(&self, url: &str, limit: usize) -> Result<Bytes, Blocked> {
        let target = self.target(url, Purpose::Fetch)?;
        let answer = self.http.get(target.url().clone()).send().await.map_err(failed)?;
        if !answer.status().is_success() {
            return Err(Blocked::Status(answer.status().as_u16()));
        }
        if answer.content_length().is_some_and(|length| length > limit as u64) {
            return Err(Blocked::TooLarge(limit));
        }
        // The stated length may lie, so what comes is counted.
        let mut body = BytesMut::new();
        let mut stream = answer.bytes_stream();
        while let Some(piece) = stream.next().await {
            let piece = piece.map_err(failed)?;
            if body.len() + piece.len() > limit {
                return Err(Blocked::TooLarge(limit));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body.freeze())
    }
}

/// A client for vendors that the operator has configured; their addresses are no stranger's choice.
///
/// # Errors
/// Where the TLS set-up of the machine cannot be read.
pub fn vendors() -> crate::Result<reqwest::Client> {
    ring();
    reqwest::Client::builder()
        .redirect(Policy::none())
        .connect_timeout(CONNECT)
        .timeout(WHOLE)
        .pool_max_idle_per_host(0)
        .user_agent("verdigraph")
        .build()
        .map_err(|error| crate::Error::Internal(format!("no client for vendors: {error}")))
}

/// TLS by ring, unless the program has chosen already.
fn ring() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Losing this race means that another thread has installed the same provider.
        drop(rustls::crypto::ring::default_provider().install_default());
    }
}

/// An address as it may be shown: what stands before the host, where anything does, is left out.
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
