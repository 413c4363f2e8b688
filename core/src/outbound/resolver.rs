//! Names become addresses here, and one address that is not public spoils the name.

use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::is_public;
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
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if !allowed && found.iter().any(|address| !is_public(address.ip())) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Whether a request failed because its name was refused.
pub(super) fn refused(error: &reqwest::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(inner) = cause {
        if inner.is::<NotPublic>() {
            return true;
        }
        cause = inner.source();
    }
    false
}
