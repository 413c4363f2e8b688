use std::net::IpAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// Every kind of address that must not be reached, by the text that somebody would send.
const REFUSED: [&str; 58] = [
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "https://",
    "not an address",
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://example.com:22/",
    "https://example.com:6379/",
    "https://example.com:80/",
    "https://localhost/",
    "https://db.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://router.lan/",
    "https://intranet/",
    "https://example.com./",
    "https://localhost./",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://0/",
    "https://0.0.0.0/",
    "https://10.1.2.3/",
    "https://100.64.0.1/",
    "https://100.127.255.254/",
    "https://169.254.169.254/latest/meta-data/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.0.0.8/",
    "https://192.0.2.1/",
    "https://192.88.99.1/",
    "https://192.168.0.1/",
    "https://198.18.0.1/",
    "https://198.51.100.1/",
    "https://203.0.113.1/",
    "https://224.0.0.1/",
    "https://240.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:0:10.0.0.1]/",
    "https://[64:ff9b::10.0.0.1]/",
    "https://[64:ff9b:1::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:db8::1]/",
    "https://[2001::1]/",
    "https://[2001:4860::5efe:10.0.0.1]/",
    "https://[fc00::1]/",
    "https://[fe80::1]/",
    "https://[ff02::1]/",
];

const ALLOWED: [&str; 9] = [
    "https://example.com/",
    "https://example.com:443/a?b=c",
    "https://example.com:8443/",
    "https://lh3.googleusercontent.com/a/x=s96-c",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[64:ff9b::8.8.8.8]/",
    "https://[2002:808:808::]/",
];

fn out(private: &[&str]) -> Outbound {
    let mut settings = Settings::defaults("unused").expect("built-in settings");
    settings.outbound.private_hosts = private.iter().map(|host| (*host).to_owned()).collect();
    Outbound::new(&settings).expect("a way out")
}

#[test]
fn no_text_of_an_address_leads_inside() {
    let out = out(&[]);
    for text in REFUSED {
        assert!(out.target(text).is_err(), "{text} must be refused");
    }
    for text in ALLOWED {
        assert!(out.target(text).is_ok(), "{text}: {:?}", out.target(text));
    }
    assert!(out.target(&format!("https://example.com/{}", "a".repeat(3000))).is_err());
}

#[test]
fn the_edges_of_every_network_that_is_not_public_are_known() {
    let public = |text: &str| is_public(text.parse::<IpAddr>().expect("an address"));
    for (inside, outside) in [
        ("100.64.0.0", "100.63.255.255"),
        ("100.127.255.255", "100.128.0.0"),
        ("172.16.0.0", "172.15.255.255"),
        ("172.31.255.255", "172.32.0.0"),
        ("198.19.255.255", "198.20.0.0"),
        ("224.0.0.0", "223.255.255.255"),
        ("2001:1ff::", "2001:200::"),
        ("3fff:fff::", "2a00::"),
        ("1fff::", "2600::"),
    ] {
        assert!(!public(inside), "{inside}");
        assert!(public(outside), "{outside}");
    }
}

/// A server that answers every request with `answer`, and the port it has.
async fn server(answer: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = [0; 1024];
            drop(stream.read(&mut asked).await);
            drop(stream.write_all(answer).await);
        }
    });
    port
}

#[tokio::test]
async fn a_name_that_resolves_inside_is_refused_whatever_it_looks_like() {
    // The resolver is asked alone: a full name of the public network that leads to this machine is not at hand here.
    let resolver = PublicResolver::new(Vec::new().into());
    let refused = reqwest::dns::Resolve::resolve(&resolver, "localhost".parse().expect("a name")).await;
    assert!(refused.is_err(), "a name with a loopback address");
    let resolver = PublicResolver::new(vec!["localhost".to_owned()].into());
    assert!(reqwest::dns::Resolve::resolve(&resolver, "localhost".parse().expect("a name")).await.is_ok());
}

#[tokio::test]
async fn only_a_host_that_the_operator_named_is_reached_inside() {
    let port = server(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").await;
    let url = format!("http://localhost:{port}/");
    assert_eq!(out(&[]).get(&url, 100).await, Err(Blocked::Address("only https is allowed")));
    assert_eq!(out(&["localhost"]).get(&url, 100).await.as_deref(), Ok(b"hello".as_slice()));
    assert_eq!(out(&["localhost"]).get(&url, 4).await, Err(Blocked::TooLarge(4)));
}

#[tokio::test]
async fn a_body_that_lies_about_its_length_and_a_redirect_are_cut_off() {
    let endless = server(b"HTTP/1.1 200 OK\r\n\r\nmore and more and more").await;
    let out = out(&["localhost"]);
    assert_eq!(out.get(&format!("http://localhost:{endless}/"), 8).await, Err(Blocked::TooLarge(8)));
    let elsewhere = server(b"HTTP/1.1 302 Found\r\nlocation: https://127.0.0.1/\r\ncontent-length: 0\r\n\r\n").await;
    assert_eq!(out.get(&format!("http://localhost:{elsewhere}/"), 8).await, Err(Blocked::Status(302)));
}
