//! Resolves names and refuses those with an address that is not public.

use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::is_public;
use super::error::OutboundError;
use super::target::is_private_host;

/// The system's resolver with checked results. The client connects only to these results.
#[derive(Debug)]
pub(super) struct PublicResolver {
    private_hosts: Arc<[String]>,
}

#[derive(Debug, thiserror::Error)]
#[error("the name leads to an address that is not public")]
struct NotPublic;

impl PublicResolver {
    pub fn new(private_hosts: Arc<[String]>) -> Self {
        Self { private_hosts }
    }
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = is_private_host(name.as_str(), &self.private_hosts);
        Box::pin(async move {
            let found = looked_up(name.as_str(), 0, allowed).await?.ok_or(NotPublic)?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Resolves a host. All addresses must be public, unless the operator allows the host.
///
/// # Errors
/// [`OutboundError::Private`] if one is not public; [`OutboundError::NoAnswer`] for an unknown name.
pub(super) async fn addresses(
    host: &str,
    port: u16,
    private_hosts: &[String],
) -> Result<Vec<SocketAddr>, OutboundError> {
    let found = looked_up(host, port, is_private_host(host, private_hosts)).await;
    found.map_err(|_| OutboundError::NoAnswer)?.ok_or(OutboundError::Private)
}

/// The host's addresses; `None` if they are not allowed.
async fn looked_up(host: &str, port: u16, is_allowed: bool) -> std::io::Result<Option<Vec<SocketAddr>>> {
    let found: Vec<SocketAddr> = tokio::net::lookup_host((host, port)).await?.collect();
    Ok((is_allowed || found.iter().all(|address| is_public(address.ip()))).then_some(found))
}

/// Maps a request's error.
pub(super) fn failed(error: reqwest::Error) -> OutboundError {
    if refused(&error) { OutboundError::Private } else { OutboundError::NoAnswer }
}

/// Whether the resolver refused the name.
fn refused(error: &reqwest::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(inner) = cause {
        if inner.is::<NotPublic>() {
            return true;
        }
        cause = inner.source();
    }
    false
}
