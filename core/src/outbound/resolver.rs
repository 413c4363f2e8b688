//! Resolves names and refuses those with an address that is not public.

use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::is_public;
use super::error::OutboundError;
use super::target::is_private_host;

/// A resolver with checked results. The clients connect only to these results. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct PublicResolver {
    private_hosts: Arc<[String]>,
    lookup: Lookup,
}

/// Where names are looked up.
#[derive(Debug, Clone)]
enum Lookup {
    System,
    #[cfg(test)]
    Table(Arc<super::name_table::NameTable>),
}

#[derive(Debug, thiserror::Error)]
#[error("the name leads to an address that is not public")]
struct NotPublic;

impl PublicResolver {
    /// Uses the system's resolver. The operator allows these hosts whatever their addresses are.
    pub fn new(private_hosts: Arc<[String]>) -> Self {
        Self { private_hosts, lookup: Lookup::System }
    }

    #[cfg(test)]
    pub fn of_table(names: Arc<super::name_table::NameTable>) -> Self {
        Self { private_hosts: Arc::new([]), lookup: Lookup::Table(names) }
    }

    pub fn private_hosts(&self) -> &[String] {
        &self.private_hosts
    }

    /// Resolves a host. All addresses must be public, unless the operator allows the host.
    ///
    /// # Errors
    /// [`OutboundError::Private`] if one is not public; [`OutboundError::NoAnswer`] for an unknown name.
    pub async fn addresses(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, OutboundError> {
        self.looked_up(host, port).await.map_err(|_| OutboundError::NoAnswer)?.ok_or(OutboundError::Private)
    }

    /// The host's addresses; `None` if they are not allowed.
    async fn looked_up(&self, host: &str, port: u16) -> std::io::Result<Option<Vec<SocketAddr>>> {
        let found: Vec<SocketAddr> = match &self.lookup {
            Lookup::System => tokio::net::lookup_host((host, port)).await?.collect(),
            #[cfg(test)]
            Lookup::Table(names) => names.look_up(host, port)?,
        };
        let is_allowed = is_private_host(host, &self.private_hosts);
        Ok((is_allowed || found.iter().all(|address| is_public(address.ip()))).then_some(found))
    }
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let found = resolver.looked_up(name.as_str(), 0).await?.ok_or(NotPublic)?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
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
