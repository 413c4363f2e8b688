mod answers;
mod names;

use std::net::IpAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// URLs that must be refused, of every kind.
const REFUSED: [&str; 72] = [
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
    "https://10.0.0.1:8443/",
    "https://0x7f.1/",
    "https://017700000001/",
    "https://127.0.0.01/",
    "https://１２７.０.０.１/",
    "https://127。0。0。1/",
    "https://%31%32%37.0.0.1/",
    "https://[::2]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:a00:1::]/",
    "https://[2001:4860::200:5efe:10.0.0.1]/",
    "https://[fec0::1]/",
    "https://[fd00:ec2::254]/latest/meta-data/",
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
fn urls_to_private_addresses_are_refused() {
    let out = out(&[]);
    for text in REFUSED {
        assert!(out.target(text, Purpose::Fetch).is_err(), "{text} must be refused");
    }
    for text in ALLOWED {
        assert!(out.target(text, Purpose::Fetch).is_ok(), "{text}: {:?}", out.target(text, Purpose::Fetch));
    }
    assert!(out.target(&format!("https://example.com/{}", "a".repeat(3000)), Purpose::Fetch).is_err());
}

#[test]
fn edges_of_private_networks_are_classified() {
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

/// A server that answers every request with `answer`; returns its port.
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
async fn name_with_a_private_address_is_refused() {
    // Tests the resolver alone: there is no public name of this machine.
    let resolver = PublicResolver::new(Vec::new().into());
    let refused = reqwest::dns::Resolve::resolve(&resolver, "localhost".parse().expect("a name")).await;
    assert!(refused.is_err(), "a name with a loopback address");
    let resolver = PublicResolver::new(vec!["localhost".to_owned()].into());
    assert!(reqwest::dns::Resolve::resolve(&resolver, "localhost".parse().expect("a name")).await.is_ok());
}

#[tokio::test]
async fn private_host_is_reachable_only_if_allowed() {
    let port = server(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").await;
    let url = format!("http://localhost:{port}/");
    assert_eq!(out(&[]).get(&url, 100).await, Err(OutboundError::Address("only https is allowed")));
    assert_eq!(out(&["localhost"]).get(&url, 100).await.as_deref(), Ok(b"hello".as_slice()));
    assert_eq!(out(&["localhost"]).get(&url, 4).await, Err(OutboundError::TooLarge(4)));
}

#[tokio::test]
async fn long_body_and_redirect_are_refused() {
    let endless = server(b"HTTP/1.1 200 OK\r\n\r\nmore and more and more").await;
    let out = out(&["localhost"]);
    assert_eq!(out.get(&format!("http://localhost:{endless}/"), 8).await, Err(OutboundError::TooLarge(8)));
    let elsewhere = server(b"HTTP/1.1 302 Found\r\nlocation: https://127.0.0.1/\r\ncontent-length: 0\r\n\r\n").await;
    assert_eq!(out.get(&format!("http://localhost:{elsewhere}/"), 8).await, Err(OutboundError::Status(302)));
}

#[test]
fn messages_may_use_http_and_ftp_but_no_private_address() {
    let out = out(&[]);
    for text in REFUSED.iter().filter(|text| text.starts_with("https://") && !text.contains("example.com")) {
        for scheme in ["https://", "http://", "ftp://", "ftp://user:secret@"] {
            let text = text.replace("https://", scheme);
            assert!(out.target(&text, Purpose::Delivery).is_err(), "{text} must be refused");
        }
    }
    for text in [
        "http://example.com/",
        "http://example.com:8080/a",
        "https://example.com:8443/",
        "ftp://example.com/",
        "ftp://user:secret@example.com/in",
    ] {
        assert!(out.target(text, Purpose::Delivery).is_ok(), "{text}");
        let is_secure = text.starts_with("https");
        assert_eq!(out.target(text, Purpose::SecureDelivery).is_ok(), is_secure, "{text} where https is demanded");
    }
    for text in [
        "http://user@example.com/",
        "https://user:secret@example.com/",
        "http://example.com:443/",
        "http://example.com:22/",
        "ftp://example.com:22/",
        "ftp://example.com:6379/",
        "sftp://example.com/",
        "file:///etc/passwd",
        "ws://example.com/",
        "ftp://example.com./",
    ] {
        assert!(out.target(text, Purpose::Delivery).is_err(), "{text} must be refused");
    }
}

/// Delivers a message, if the URL is allowed.
async fn bring(out: &Outbound, url: &str) -> Result<DeliveryResponse, OutboundError> {
    let body = Bytes::from_static(br#"{"test":1}"#);
    let headers = [("webhook-id", "msg_1".to_owned())];
    let parcel =
        OutboundMessage { name: "msg_1.json", content_type: "application/json", headers: &headers, body: &body };
    out.deliver(&out.target(url, Purpose::Delivery)?, parcel, 16).await
}

#[actix::test]
async fn private_address_is_not_connected() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let out = out(&[]);
    for host in
        ["127.0.0.1", "127.1", "2130706433", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "user:secret@127.0.0.1"]
    {
        for scheme in ["http", "https", "ftp"] {
            let url = format!("{scheme}://{host}:{port}/");
            assert!(bring(&out, &url).await.is_err(), "{url}");
        }
    }
    // Names that changed after the check of the text: the text passes, the address does not.
    for text in [format!("http://localhost:{port}/"), format!("ftp://localhost:{port}/")] {
        let passed =
            Target::parse(&text, Purpose::Delivery, &["localhost".to_owned()]).expect("a name of the operator's");
        let body = Bytes::new();
        let parcel = OutboundMessage { name: "a", content_type: "text/plain", headers: &[], body: &body };
        assert_eq!(out.deliver(&passed, parcel, 16).await, Err(OutboundError::Private), "{text}");
    }
    let heard = tokio::time::timeout(Duration::from_millis(100), listener.accept()).await;
    assert!(heard.is_err(), "a connection was made");
}

#[actix::test]
async fn message_is_posted_with_headers_and_the_response_is_cut() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://localhost:{}/hook", listener.local_addr().expect("an address").port());
    let answering = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut heard = Vec::new();
        while !heard.ends_with(br#"{"test":1}"#) {
            let mut piece = [0; 1024];
            let read = stream.read(&mut piece).await.expect("a request");
            heard.extend_from_slice(&piece[..read]);
        }
        let head = "HTTP/1.1 429 Slow\r\nretry-after: 7\r\ncontent-length: 100000\r\n\r\n";
        // The rest of the body never arrives, and the connection stays open.
        stream.write_all(format!("{head}no\0 {}", "a".repeat(40)).as_bytes()).await.expect("an answer");
        (String::from_utf8(heard).expect("text"), stream)
    });
    let answer = bring(&out(&["localhost"]), &url).await.expect("an answer");
    let (heard, _stream) = answering.await.expect("a request");
    assert!(heard.starts_with("POST /hook HTTP/1.1\r\n"), "{heard}");
    assert!(heard.contains("webhook-id: msg_1\r\n") && heard.contains("content-type: application/json\r\n"), "{heard}");
    assert_eq!((answer.status, answer.retry_after), (429, Some(RetryAfter::In(Duration::from_secs(7)))));
    assert_eq!(answer.body, format!("no\u{fffd} {}", "a".repeat(12)));
}

#[actix::test]
async fn delivery_reuses_connections_and_fetch_does_not() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://localhost:{}/", listener.local_addr().expect("an address").port());
    let connections = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    actix_rt::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            actix_rt::spawn(async move {
                let mut piece = [0; 4096];
                while stream.read(&mut piece).await.is_ok_and(|read| read > 0) {
                    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
                    stream.write_all(answer).await.expect("an answer");
                }
            });
        }
    });
    let out = out(&["localhost"]);
    let so_far = || connections.load(std::sync::atomic::Ordering::Relaxed);
    for _ in 0..3 {
        assert_eq!(bring(&out, &url).await.expect("an answer").body, "ok");
    }
    assert_eq!(so_far(), 1, "each message had a connection of its own");
    for _ in 0..2 {
        assert_eq!(out.get(&url, 10).await.expect("a body"), "ok");
    }
    assert_eq!(so_far(), 3, "a fetch took over a connection, or left one");
}

#[test]
fn all_forms_of_retry_after_are_parsed() {
    for (text, seconds) in [("120", 120), (" 0 ", 0), ("007", 7), ("99999999999999999999999", u64::MAX)] {
        assert_eq!(RetryAfter::read(text), Some(RetryAfter::In(Duration::from_secs(seconds))), "{text}");
    }
    let at = "2026-01-01T00:00:07Z".parse().expect("a time");
    for text in ["Thu, 01 Jan 2026 00:00:07 GMT", "Thursday, 01-Jan-26 00:00:07 GMT", "Thu Jan  1 00:00:07 2026"] {
        assert_eq!(RetryAfter::read(text), Some(RetryAfter::At(at)), "{text}");
    }
    for text in ["soon", "", "-5", "+5", "1.5", "5s", "Thu, 32 Jan 2026 00:00:07 GMT", "9 9"] {
        assert_eq!(RetryAfter::read(text), None, "{text}");
    }
}

/// An ftp server with a reply of its own to one command; returns the commands and the uploaded bytes. Its passive reply
/// names a private address, which must be ignored.
async fn ftp_server(
    (replaced, reply): (&'static str, &'static str),
    knows_epsv: bool,
) -> (u16, tokio::task::JoinHandle<(Vec<String>, Vec<u8>)>) {
    let control = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = control.local_addr().expect("an address").port();
    let serving = tokio::spawn(async move {
        let data = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let data_port = data.local_addr().expect("an address").port();
        let (stream, _) = control.accept().await.expect("a connection");
        let (read, mut write) = stream.into_split();
        let mut lines = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(read));
        write.write_all(b"220-welcome\r\n221 is no end\r\n220 ready\r\n").await.expect("a greeting");
        let (mut heard, mut stored) = (Vec::new(), Vec::new());
        while let Ok(Some(line)) = lines.next_line().await {
            let verb = line.split(' ').next().unwrap_or_default().to_owned();
            heard.push(line);
            let reply = match verb.as_str() {
                verb if verb == replaced => reply.to_owned(),
                "USER" => "331 and the password?".to_owned(),
                "EPSV" if knows_epsv => format!("229 Extended (|||{data_port}|)"),
                "EPSV" => "500 what?".to_owned(),
                "PASV" => format!("227 Passive (10,0,0,1,{},{})", data_port / 256, data_port % 256),
                "STOR" => {
                    write.write_all(b"150 go on\r\n").await.expect("a reply");
                    let (mut file, _) = data.accept().await.expect("a connection for the file");
                    file.read_to_end(&mut stored).await.expect("a file");
                    "226 stored".to_owned()
                }
                "QUIT" => break,
                _ => "200 fine".to_owned(),
            };
            write.write_all(format!("{reply}\r\n").as_bytes()).await.expect("a reply");
        }
        (heard, stored)
    });
    (port, serving)
}

#[actix::test]
async fn message_is_uploaded_by_ftp_to_the_checked_address() {
    for knows_epsv in [true, false] {
        let (port, serving) = ftp_server(("", ""), knows_epsv).await;
        let url = format!("ftp://me:a%20b@localhost:{port}/in/hooks");
        let answer = bring(&out(&["localhost"]), &url).await.expect("an answer");
        assert_eq!((answer.status, answer.body.as_str()), (226, "226 stored"));
        let (heard, stored) = serving.await.expect("a server");
        assert_eq!(stored, br#"{"test":1}"#);
        let passive: &[&str] = if knows_epsv { &["EPSV"] } else { &["EPSV", "PASV"] };
        let expected =
            [&["USER me", "PASS a b", "TYPE I", "CWD in", "CWD hooks"], passive, &["STOR msg_1.json", "QUIT"]];
        assert_eq!(heard, expected.concat());
    }
}

#[actix::test]
async fn first_refused_ftp_command_is_the_response() {
    for refuses in ["PASS", "CWD", "STOR"] {
        let (port, serving) = ftp_server((refuses, "550 not here"), true).await;
        let answer = bring(&out(&["localhost"]), &format!("ftp://localhost:{port}/in")).await.expect("an answer");
        assert_eq!((answer.status, answer.body.as_str()), (550, "550 not here"), "{refuses}");
        let (heard, stored) = serving.await.expect("a server");
        assert!(heard.last().is_some_and(|line| line.starts_with(refuses)), "{heard:?}");
        assert!(stored.is_empty(), "{refuses}");
    }
}

#[actix::test]
async fn ftp_success_without_an_upload_is_no_delivery() {
    let (port, serving) = ftp_server(("STOR", "226 stored"), true).await;
    let answer = bring(&out(&["localhost"]), &format!("ftp://localhost:{port}/in")).await;
    assert_eq!(answer, Err(OutboundError::NoAnswer));
    let (heard, stored) = serving.await.expect("a server");
    assert!(heard.last().is_some_and(|line| line.starts_with("STOR")) && stored.is_empty(), "{heard:?}");
}
