//! A keep-alive HTTP/1.1 connection with minimal overhead: the generator shares processors with the measured server.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Maximum size of an answer.
const ANSWER_BYTES: usize = 1 << 20;

pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// An answer, borrowed from the connection's buffer.
#[derive(Debug)]
pub struct Answer<'a> {
    pub status: u16,
    pub body: &'a [u8],
}

/// Positions of an answer's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Head {
    status: u16,
    length: usize,
    body_at: usize,
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(4096) })
    }

    /// Sends a complete request and reads the answer.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let head = loop {
            if let Some(head) = read_head(&self.buffer)? {
                break head;
            }
            self.more().await?;
        };
        let end = head.body_at + head.length;
        while self.buffer.len() < end {
            self.more().await?;
        }
        let body = self.buffer.get(head.body_at..end).unwrap_or_default();
        Ok(Answer { status: head.status, body })
    }

    async fn more(&mut self) -> Result<()> {
        if self.buffer.len() > ANSWER_BYTES {
            return Err(Error::new(ErrorKind::InvalidData, "an answer of more than a megabyte"));
        }
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

/// Status and length of an answer; `None` while the head is incomplete.
fn read_head(bytes: &[u8]) -> Result<Option<Head>> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let wrong = || Error::new(ErrorKind::InvalidData, "not an HTTP answer with a length");
    let head = bytes.get(..end).unwrap_or_default();
    let mut lines = head.split(|byte| *byte == b'\n');
    let status = lines.next().and_then(|line| number(line.strip_prefix(b"HTTP/1.1 ")?.get(..3)?)).ok_or_else(wrong)?;
    // 204 has no body and no length.
    let mut length = (status == 204).then_some(0);
    for line in lines {
        const NAME: &[u8] = b"content-length:";
        if line.len() > NAME.len() && line.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME)) {
            length = line.get(NAME.len()..).and_then(|value| number(value.trim_ascii()));
        }
    }
    let status = u16::try_from(status).map_err(|_| wrong())?;
    Ok(Some(Head { status, length: length.ok_or_else(wrong)?, body_at: end + 4 }))
}

fn number(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn answer_is_read_completely_from_any_chunks() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let served = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            stream.set_nodelay(true).expect("an option");
            let mut asked = [0; 4];
            for answer in [
                &b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nfirst"[..],
                b"HTTP/1.1 429 X\r\ncontent-length: 0\r\n\r\n",
            ] {
                stream.read_exact(&mut asked).await.expect("a request");
                for byte in answer {
                    stream.write_all(&[*byte]).await.expect("a byte");
                    stream.flush().await.expect("a byte");
                    tokio::task::yield_now().await;
                }
            }
        });
        let mut connection = Connection::open(address).await.expect("a connection");
        let first = connection.exchange(b"one!").await.expect("an answer");
        assert_eq!((first.status, first.body), (201, &b"first"[..]));
        let second = connection.exchange(b"two!").await.expect("an answer");
        assert_eq!((second.status, second.body), (429, &b""[..]));
        served.await.expect("the server");
        assert!(connection.exchange(b"gone").await.is_err(), "an ended connection gives no answer");
    }

    #[test]
    fn answer_without_length_is_an_error() {
        let empty = read_head(b"HTTP/1.1 204 No Content\r\n\r\n").expect("an answer");
        assert_eq!(empty, Some(Head { status: 204, length: 0, body_at: 27 }));
        assert!(read_head(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").is_err());
        assert!(read_head(b"SSH-2.0\r\n\r\n").is_err());
        assert_eq!(read_head(b"HTTP/1.1 200 OK\r\ncontent-le").expect("not wrong yet"), None);
    }
}
