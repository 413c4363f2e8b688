//! Names become addresses here, and one address that is not public spoils the name.

use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::is_public;
use super::blocked::Blocked;
use super::target::is_private_host;

/// The system's resolver, with every answer checked. The client connects to what is answered here and to nothing else.
#[derive(Debug)]
pub(super) struct PublicResolver {
    private_hosts: Arc<[String]>,
}

/// A name that leads to a network that is not public.
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

/// The addresses of a host, all of them public unless the operator named it.
///
/// # Errors
/// [`Blocked::Private`] where one is not; [`Blocked::NoAnswer`] where nobody knows the name.
pub(super) async fn addresses(host: &str, port: u16, private_hosts: &[String]) -> Result<Vec<SocketAddr>, Blocked> {
    let found = looked_up(host, port, is_private_host(host, private_hosts)).await;
    found.map_err(|_| Blocked::NoAnswer)?.ok_or(Blocked::Private)
}

/// What the system knows of a name; `None` where it must not be connected to.
async fn looked_up(host: &str, port: u16, is_allowed: bool) -> std::io::Result<Option<Vec<SocketAddr>>> {
    let found: Vec<SocketAddr> = tokio::net::lookup_host((host, port)).await?.collect();
    Ok((is_allowed || found.iter().all(|address| is_public(address.ip()))).then_some(found))
}

/// Why a request failed.
pub(super) fn failed(error: reqwest::Error) -> Blocked {
    if refused(&error) { Blocked::Private } else { Blocked::NoAnswer }
}

/// Whether a request failed because its name was refused.
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
