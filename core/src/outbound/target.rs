//! An address as text, checked before anything is resolved.

use reqwest::Url;

use super::address::is_public;
use super::blocked::Blocked;

/// The longest address that is looked at.
const LONGEST: usize = 2048;
/// Ports that may be asked at strangers' hosts.
const PORTS: [u16; 2] = [443, 8443];

/// An address that may be asked, as far as its text tells. Its name is checked again when it is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Url);

impl Target {
    pub(super) fn parse(text: &str, private_hosts: &[String]) -> Result<Self, Blocked> {
        if text.len() > LONGEST {
            return Err(Blocked::Address("it is too long"));
        }
        // The parser brings decimal, octal and short forms of IPv4 addresses to their one form.
        let url = Url::parse(text).map_err(|_| Blocked::Address("it is no address"))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Blocked::Address("it has credentials in it"));
        }
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
            return Err(Blocked::Address("it has no host"));
        };
        if is_private_host(host, private_hosts) && matches!(url.scheme(), "http" | "https") {
            return Ok(Self(url));
        }
        if url.scheme() != "https" {
            return Err(Blocked::Address("only https is allowed"));
        }
        if !url.port_or_known_default().is_some_and(|port| PORTS.contains(&port)) {
            return Err(Blocked::Address("the port is not allowed"));
        }
        let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        match literal.parse::<std::net::IpAddr>() {
            Ok(address) if !is_public(address) => return Err(Blocked::Private),
            Ok(_) => return Ok(Self(url)),
            Err(_) => {}
        }
        // A trailing dot makes another name of the same host, which lists of names would miss.
        if host.ends_with('.') || !host.contains('.') {
            return Err(Blocked::Address("the host is no full name"));
        }
        if LOCAL.iter().any(|end| host.ends_with(end)) {
            return Err(Blocked::Private);
        }
        Ok(Self(url))
    }

    /// The address in its normal form.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }
}

/// Ends of names that are only known inside a network.
const LOCAL: [&str; 6] = [".localhost", ".local", ".internal", ".lan", ".home.arpa", ".onion"];

pub(super) fn is_private_host(host: &str, private_hosts: &[String]) -> bool {
    private_hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
}
