//! Uploads by ftp in passive mode. Both connections go to the checked address: of the server's passive reply only the
//! port is used.

use std::net::SocketAddr;

use reqwest::Url;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::delivery::{DeliveryResponse, OutboundMessage, text};
use super::error::OutboundError;
use super::resolver::PublicResolver;
use super::timeouts::{CONNECT_TIMEOUT, TOTAL_TIMEOUT};

/// Maximum size of a reply to one command, in bytes.
const LONGEST_REPLY: u64 = 8 * 1024;

/// Uploads a message as a file into the folder of the URL.
pub(super) async fn upload(
    url: &Url,
    message: OutboundMessage<'_>,
    limit: usize,
    resolver: &PublicResolver,
) -> Result<DeliveryResponse, OutboundError> {
    let target = FtpTarget::of(url)?;
    let whole = async {
        let mut control = Control::open(url, resolver).await?;
        let reply = control.store(&target, message).await?;
        Ok(DeliveryResponse { status: reply.code, retry_after: None, body: text(reply.text.as_bytes(), limit) })
    };
    timeout(TOTAL_TIMEOUT, whole).await.unwrap_or(Err(OutboundError::NoAnswer))
}

/// Checks that the parts of a URL can be sent in commands.
pub(super) fn check(url: &Url) -> Result<(), OutboundError> {
    FtpTarget::of(url).map(drop)
}

/// The credentials and folder of a URL.
#[derive(Debug, PartialEq, Eq)]
struct FtpTarget {
    user: String,
    password: String,
    folders: Vec<String>,
}

impl FtpTarget {
    fn of(url: &Url) -> Result<Self, OutboundError> {
        let user = match url.username() {
            "" => "anonymous".to_owned(),
            user => word(user)?,
        };
        let folders = url.path_segments().into_iter().flatten().filter(|folder| !folder.is_empty());
        let folders = folders.map(word).collect::<Result<_, _>>()?;
        Ok(Self { user, password: word(url.password().unwrap_or("anonymous"))?, folders })
    }
}

/// Decodes a URL part for use in a command; a line break would start another command.
fn word(part: &str) -> Result<String, OutboundError> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        let decoded = match byte {
            b'%' => hex(rest.next()).zip(hex(rest.next())).map(|(high, low)| high * 16 + low),
            byte => Some(byte),
        };
        bytes.push(decoded.ok_or(OutboundError::Address("it has an invalid percent encoding"))?);
    }
    let word = String::from_utf8(bytes).ok().filter(|word| !word.chars().any(char::is_control));
    word.ok_or(OutboundError::Address("it has characters that are not allowed in ftp commands"))
}

fn hex(digit: Option<u8>) -> Option<u8> {
    u8::try_from(char::from(digit?).to_digit(16)?).ok()
}

/// A server's reply to a command.
#[derive(Debug)]
struct Reply {
    code: u16,
    text: String,
}

impl Reply {
    fn is_done(&self) -> bool {
        (200..300).contains(&self.code)
    }
}

/// The control connection.
struct Control {
    stream: BufReader<TcpStream>,
    peer: SocketAddr,
}

impl Control {
    async fn open(url: &Url, resolver: &PublicResolver) -> Result<Self, OutboundError> {
        let host = url.host_str().unwrap_or_default();
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let port = url.port_or_known_default().unwrap_or(21);
        for peer in resolver.addresses(host, port).await? {
            if let Ok(stream) = connect(peer).await {
                return Ok(Self { stream: BufReader::new(stream), peer });
            }
        }
        Err(OutboundError::NoAnswer)
    }

    /// Signs in and stores the file. Returns the first refusal or the last reply.
    async fn store(&mut self, target: &FtpTarget, message: OutboundMessage<'_>) -> Result<Reply, OutboundError> {
        let greeting = self.reply().await?;
        if !greeting.is_done() {
            return Ok(greeting);
        }
        let mut reply = self.ask(&format!("USER {}", target.user)).await?;
        if reply.code == 331 {
            reply = self.ask(&format!("PASS {}", target.password)).await?;
        }
        let folders = target.folders.iter().map(|folder| format!("CWD {folder}"));
        for command in std::iter::once("TYPE I".to_owned()).chain(folders) {
            if !reply.is_done() {
                return Ok(reply);
            }
            reply = self.ask(&command).await?;
        }
        if !reply.is_done() {
            return Ok(reply);
        }
        let port = match self.passive_port().await? {
            Ok(port) => port,
            Err(refused) => return Ok(refused),
        };
        let mut data = connect(SocketAddr::new(self.peer.ip(), port)).await?;
        let begun = self.ask(&format!("STOR {}", message.name)).await?;
        if !matches!(begun.code, 125 | 150) {
            // A success before the file was sent is not a valid reply.
            return if begun.is_done() { Err(OutboundError::NoAnswer) } else { Ok(begun) };
        }
        let sent = async {
            data.write_all(message.body).await?;
            data.shutdown().await
        };
        let is_sent = sent.await.is_ok();
        drop(data);
        // A server without space closes the connection of the file first, and then says why.
        let stored = self.reply().await?;
        if stored.is_done() && !is_sent {
            return Err(OutboundError::NoAnswer);
        }
        // The file is stored, so the reply to QUIT does not matter.
        let _farewell = self.stream.write_all(b"QUIT\r\n").await;
        Ok(stored)
    }

    /// The passive port, by EPSV (RFC 2428) or else by PASV.
    async fn passive_port(&mut self) -> Result<Result<u16, Reply>, OutboundError> {
        let reply = self.ask("EPSV").await?;
        if let (229, Some(port)) = (reply.code, extended_port(&reply.text)) {
            return Ok(Ok(port));
        }
        let reply = self.ask("PASV").await?;
        Ok(match (reply.code, port(&reply.text)) {
            (227, Some(port)) => Ok(port),
            // A success without a port is not a valid reply.
            (200..300, _) => return Err(OutboundError::NoAnswer),
            _ => Err(reply),
        })
    }

    async fn ask(&mut self, command: &str) -> Result<Reply, OutboundError> {
        self.stream.write_all(format!("{command}\r\n").as_bytes()).await.map_err(broken)?;
        self.reply().await
    }

    /// Reads a reply of one or several lines (`123-` starts several, `123 ` ends them).
    async fn reply(&mut self) -> Result<Reply, OutboundError> {
        let (mut left, mut text, mut code) = (LONGEST_REPLY, String::new(), None);
        loop {
            let mut line = Vec::new();
            let read = (&mut self.stream).take(left).read_until(b'\n', &mut line).await.map_err(broken)?;
            left = left.saturating_sub(read as u64);
            if line.pop() != Some(b'\n') {
                return Err(OutboundError::NoAnswer);
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            let digits = line.get(..3).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
            let number: Option<u16> = digits.and_then(|digits| digits.parse().ok());
            text.push_str(line);
            let is_last = line.as_bytes().get(3).is_none_or(|mark| *mark == b' ');
            match (code, number) {
                (None, Some(number)) if is_last => return Ok(Reply { code: number, text }),
                (None, Some(number)) => code = Some(number),
                (None, None) => return Err(OutboundError::NoAnswer),
                (Some(code), Some(number)) if code == number && is_last => return Ok(Reply { code, text }),
                (Some(_), _) => {}
            }
            text.push('\n');
        }
    }
}

async fn connect(peer: SocketAddr) -> Result<TcpStream, OutboundError> {
    let connected = timeout(CONNECT_TIMEOUT, TcpStream::connect(peer)).await;
    connected.ok().and_then(Result::ok).ok_or(OutboundError::NoAnswer)
}

fn broken(_error: std::io::Error) -> OutboundError {
    OutboundError::NoAnswer
}

/// The port of `229 Entering Extended Passive Mode (|||6446|)`.
fn extended_port(text: &str) -> Option<u16> {
    let inner = text.split_once('(')?.1.split_once(')')?.0;
    inner.trim_matches('|').parse().ok().filter(|port| *port > 0)
}

/// The port of `227 Entering Passive Mode (h1,h2,h3,h4,p1,p2)`.
fn port(text: &str) -> Option<u16> {
    let inner = text.split_once('(')?.1.split_once(')')?.0;
    let mut numbers = inner.split(',').skip(4).map(|number| number.trim().parse::<u8>());
    let (high, low) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(u16::from_be_bytes([high, low])).filter(|port| *port > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_port_is_used_of_a_passive_reply() {
        assert_eq!(port("227 Entering Passive Mode (10,0,0,1,25,46)."), Some(6446));
        assert_eq!(extended_port("229 Entering Extended Passive Mode (|||6446|)"), Some(6446));
        for text in ["227 no", "227 (1,2,3,4,5)", "227 (1,2,3,4,0,0)", "227 (1,2,3,4,300,1)"] {
            assert_eq!(port(text), None, "{text}");
        }
        assert_eq!(extended_port("229 (|||70000|)"), None);
    }

    #[test]
    fn url_parts_cannot_inject_commands() {
        let place = |text: &str| FtpTarget::of(&Url::parse(text).expect("an address"));
        let found = place("ftp://a%40b:p%25w@host/in/b%20c/").expect("a place");
        assert_eq!((found.user.as_str(), found.password.as_str()), ("a@b", "p%w"));
        assert_eq!(found.folders, ["in", "b c"]);
        for text in ["ftp://a%0d%0aDELE%20x@host/", "ftp://a:b%0a@host/", "ftp://host/x%0D%0aSITE/", "ftp://host/%00"] {
            assert!(place(text).is_err(), "{text}");
        }
        assert!(place("ftp://host/%zz").is_err(), "no number");
    }
}
