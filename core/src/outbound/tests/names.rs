//! Names whose addresses are private, mixed, or change between two lookups.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::dns::Resolve as _;
use tokio::net::TcpListener;

use crate::outbound::name_table::NameTable;
use crate::outbound::resolver::PublicResolver;
use crate::outbound::target::{Purpose, Target};
use crate::outbound::{Outbound, OutboundError, OutboundMessage};

/// Names that look public, and the addresses behind them.
const PRIVATE: [(&str, &[&[&str]]); 10] = [
    ("127.0.0.1.nip.io", &[&["127.0.0.1"]]),
    ("10-0-0-1.sslip.io", &[&["10.0.0.1"]]),
    ("localtest.me", &[&["127.0.0.1", "::1"]]),
    ("metadata.example.com", &[&["169.254.169.254"]]),
    ("nat64.example.com", &[&["64:ff9b::7f00:1"]]),
    ("mapped.example.com", &[&["::ffff:127.0.0.1"]]),
    ("local.example.com", &[&["fe80::1"]]),
    // One address of several is enough.
    ("mixed.example.com", &[&["8.8.8.8", "127.0.0.1"]]),
    ("mixed-six.example.com", &[&["2606:4700:4700::1111", "::1"]]),
    ("shared.example.com", &[&["100.64.0.1"]]),
];

#[actix::test]
async fn names_with_a_private_address_are_not_connected() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let names = NameTable::of(&PRIVATE);
    let out = Outbound::with(PublicResolver::of_table(Arc::clone(&names))).expect("clients");
    let body = Bytes::from_static(b"{}");
    for (name, _) in PRIVATE {
        for scheme in ["http", "https", "ftp", "ftp://user:secret@"] {
            let url = match scheme.split_once("://") {
                Some((scheme, user)) => format!("{scheme}://{user}{name}:{port}/in"),
                None => format!("{scheme}://{name}:{port}/in"),
            };
            // The check of the text allows any port only on the operator's hosts.
            let target = Target::parse(&url, Purpose::Delivery, &[name.to_owned()]).expect("a target");
            let message = OutboundMessage { name: "a", content_type: "text/plain", headers: &[], body: &body };
            assert_eq!(out.deliver(&target, message, 16).await, Err(OutboundError::Private), "{url}");
        }
        assert_eq!(names.lookups(name), 4, "{name}: each delivery looks a name up once, to check and to connect");
        let fetched = out.get(&format!("https://{name}/"), 16).await;
        assert_eq!(fetched, Err(OutboundError::Private), "{name}");
    }
    let connected = tokio::time::timeout(Duration::from_millis(100), listener.accept()).await;
    assert!(connected.is_err(), "a connection was made");
}

#[tokio::test]
async fn name_that_changes_to_a_private_address_is_refused_at_the_next_lookup() {
    let names = NameTable::of(&[("rebinds.example.com", &[&["8.8.8.8"], &["127.0.0.1"], &["8.8.4.4"]])]);
    let resolver = PublicResolver::of_table(names);
    let resolve = async || resolver.resolve("rebinds.example.com".parse().expect("a name")).await.map(Iterator::count);
    assert_eq!(resolve().await.expect("a public address"), 1);
    assert_eq!(resolver.addresses("rebinds.example.com", 21).await, Err(OutboundError::Private));
    assert!(resolver.addresses("rebinds.example.com", 21).await.is_ok());
    assert_eq!(resolver.addresses("unknown.example.com", 21).await, Err(OutboundError::NoAnswer));
}
