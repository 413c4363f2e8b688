//! An address as text, checked before anything is resolved.

use reqwest::Url;

use super::address::is_public;
use super::blocked::Blocked;

/// The longest address that is looked at.
const LONGEST: usize = 2048;

/// What an address is asked for, which decides how it may be reached at strangers' hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Something is fetched: https alone.
    Fetch,
    /// A message is brought: https, http, and ftp with a user and a password in the address.
    Delivery,
    /// A message is brought, where the operator demands https.
    SecureDelivery,
}

impl Purpose {
    /// The ports that a scheme may be asked at; none for one that is not allowed.
    fn ports(self, scheme: &str) -> &'static [u16] {
        match (self, scheme) {
            (_, "https") => &[443, 8443],
            (Self::Delivery, "http") => &[80, 8080],
            (Self::Delivery, "ftp") => &[21],
            _ => &[],
        }
    }

    /// Whether a host that the operator named may be asked this way, at whatever port.
    fn asks_private(self, scheme: &str) -> bool {
        match scheme {
            "https" => true,
            "http" => self != Self::SecureDelivery,
            "ftp" => self == Self::Delivery,
            _ => false,
        }
    }
}

/// An address that may be asked, as far as its text tells. Its name is checked again when it is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Url);

impl Target {
    pub(super) fn parse(text: &str, purpose: Purpose, private_hosts: &[String]) -> Result<Self, Blocked> {
        if text.len() > LONGEST {
            return Err(Blocked::Address("it is too long"));
        }
        // The parser brings decimal, octal and short forms of IPv4 addresses to their one form.
        let url = Url::parse(text).map_err(|_| Blocked::Address("it is no address"))?;
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        if has_credentials && !(url.scheme() == "ftp" && purpose == Purpose::Delivery) {
            return Err(Blocked::Address("it has credentials in it"));
        }
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
            return Err(Blocked::Address("it has no host"));
        };
        if is_private_host(host, private_hosts) && purpose.asks_private(url.scheme()) {
            return Ok(Self(url));
        }
        let ports = purpose.ports(url.scheme());
        if ports.is_empty() {
            return Err(Blocked::Address(match purpose {
                Purpose::Fetch | Purpose::SecureDelivery => "only https is allowed",
                Purpose::Delivery => "only https, http and ftp are allowed",
            }));
        }
        if !url.port_or_known_default().is_some_and(|port| ports.contains(&port)) {
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
