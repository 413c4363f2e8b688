//! Receivers with odd answers.

use super::*;

/// A receiver that reads one message, answers it, and keeps the connection open; returns its URL.
async fn receiver(answer: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://localhost:{}/", listener.local_addr().expect("an address").port());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut heard = Vec::new();
        while !heard.ends_with(br#"{"test":1}"#) {
            assert!(stream.read_buf(&mut heard).await.expect("a request") > 0, "the message broke off");
        }
        stream.write_all(answer).await.expect("an answer");
        // Nothing more is sent, and the end of the connection is the client's.
        drop(stream.read(&mut [0; 1]).await);
    });
    url
}

#[actix::test]
async fn status_counts_whatever_follows_it() {
    let out = out(&["localhost"]);
    let cases: [(&[u8], u16, &str); 8] = [
        (b"HTTP/1.0 200 OK\r\n\r\nold", 200, "old"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart", 200, "part"),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npart\r\n", 200, "part"),
        (b"HTTP/1.1 500 No\r\ncontent-length: 9999999999999\r\n\r\nno", 500, "no"),
        (
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n\
              HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok",
            202,
            "ok",
        ),
        // Neither followed nor unpacked.
        (b"HTTP/1.1 307 Away\r\nlocation: http://localhost:1/\r\ncontent-length: 0\r\n\r\n", 307, ""),
        (b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x8bzz", 200, "\u{1f}\u{fffd}zz"),
        (b"HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n", 999, ""),
    ];
    let began = std::time::Instant::now();
    let each = cases.map(|(answer, status, body)| {
        let out = &out;
        async move {
            let answered = bring(out, &receiver(answer).await).await.expect("an answer");
            let what = String::from_utf8_lossy(answer);
            assert_eq!((answered.status, answered.body.as_str()), (status, body), "{what}");
        }
    });
    futures_util::future::join_all(each).await;
    assert!(began.elapsed() < Duration::from_secs(10), "a delivery waited for a body that does not end");
    assert_eq!(bring(&out, &receiver(b"what?\r\n\r\n").await).await, Err(OutboundError::NoAnswer));
}

/// An ftp server that resets the connection of the file instead of reading it, and then sends this reply.
async fn ftp_server_without_space(last: &'static str) -> u16 {
    let control = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = control.local_addr().expect("an address").port();
    tokio::spawn(async move {
        let data = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let data_port = data.local_addr().expect("an address").port();
        let (stream, _) = control.accept().await.expect("a connection");
        let (read, mut write) = stream.into_split();
        let mut lines = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(read));
        write.write_all(b"220 ready\r\n").await.expect("a greeting");
        while let Ok(Some(line)) = lines.next_line().await {
            let reply = match line.split(' ').next() {
                Some("EPSV") => format!("229 Extended (|||{data_port}|)"),
                Some("STOR") => {
                    let (file, _) = data.accept().await.expect("a connection for the file");
                    file.set_zero_linger().expect("a reset");
                    drop(file);
                    format!("150 go on\r\n{last}")
                }
                _ => "200 fine".to_owned(),
            };
            write.write_all(format!("{reply}\r\n").as_bytes()).await.expect("a reply");
        }
    });
    port
}

#[actix::test]
async fn ftp_server_without_space_says_so_and_has_no_file() {
    for (last, answer) in [("552 no space", Ok(552)), ("226 stored", Err(OutboundError::NoAnswer))] {
        let port = ftp_server_without_space(last).await;
        let answered = bring(&out(&["localhost"]), &format!("ftp://localhost:{port}/")).await;
        assert_eq!(answered.map(|answered| answered.status), answer, "{last}");
    }
}

#[actix::test]
async fn ftp_server_without_passive_mode_refuses() {
    let (port, serving) = ftp_server(("PASV", "502 only active"), false).await;
    let answer = bring(&out(&["localhost"]), &format!("ftp://localhost:{port}/in")).await.expect("an answer");
    assert_eq!((answer.status, answer.body.as_str()), (502, "502 only active"));
    let (heard, stored) = serving.await.expect("a server");
    assert!(heard.last().is_some_and(|line| line == "PASV") && stored.is_empty(), "{heard:?}");
}

#[test]
fn ftp_address_with_parts_that_are_no_words_is_refused_before_it_is_used() {
    let out = out(&["localhost"]);
    for text in [
        "ftp://a%0d%0aDELE%20x@example.com/",
        "ftp://a:b%0a@example.com/",
        "ftp://example.com/in%0D%0ASITE",
        "ftp://example.com/%zz",
        "ftp://localhost/%00",
    ] {
        assert!(out.target(text, Purpose::Delivery).is_err(), "{text} must be refused");
    }
    assert!(out.target("ftp://a%40b:p%25w%20d@example.com/in%20box/", Purpose::Delivery).is_ok());
}

#[test]
fn international_names_are_checked_in_their_ascii_form() {
    let out = out(&[]);
    for (text, url) in [
        ("https://BÜCHER.example/a", "https://xn--bcher-kva.example/a"),
        ("http://xn--bcher-kva.example:8080/", "http://xn--bcher-kva.example:8080/"),
        ("https://exam\u{ad}ple.com/", "https://example.com/"),
        ("http://[2606:4700:4700::1111]:8080/", "http://[2606:4700:4700::1111]:8080/"),
    ] {
        let target = out.target(text, Purpose::Delivery).expect("a target");
        assert_eq!(target.url().as_str(), url, "{text}");
    }
    for text in
        ["https://ｌｏｃａｌｈｏｓｔ/", "https://db.loc\u{ad}al/", "https://[::1%25eth0]/", "https://bücher.example./"]
    {
        assert!(out.target(text, Purpose::Delivery).is_err(), "{text} must be refused");
    }
}
