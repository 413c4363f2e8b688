//! Uploads by ftp, in passive mode. Both connections go to the one address that was checked: what the server says about
//! its address is not read, only its port.

use std::net::SocketAddr;

use reqwest::Url;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::blocked::Blocked;
use super::delivery::{Answer, Parcel, text};
use super::patience::{CONNECT, WHOLE};
use super::resolver;

/// The longest answer to one command, in bytes, all of its lines together.
const LONGEST_REPLY: u64 = 8 * 1024;

/// Writes a message as a file into the folder that the address names.
pub(super) async fn upload(
    url: &Url,
    parcel: Parcel<'_>,
    limit: usize,
    private_hosts: &[String],
) -> Result<Answer, Blocked> {
    let place = Place::of(url)?;
    let whole = async {
        let mut control = Control::open(url, private_hosts).await?;
        let reply = control.store(&place, parcel).await?;
        Ok(Answer { status: reply.code, retry_after: None, body: text(reply.text.as_bytes(), limit) })
    };
    timeout(WHOLE, whole).await.unwrap_or(Err(Blocked::NoAnswer))
}

/// Where a file goes, and as whom.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    user: String,
    password: String,
    folders: Vec<String>,
}

impl Place {
    fn of(url: &Url) -> Result<Self, Blocked> {
        let user = match url.username() {
            "" => "anonymous".to_owned(),
            user => word(user)?,
        };
        let folders = url.path_segments().into_iter().flatten().filter(|folder| !folder.is_empty());
        let folders = folders.map(word).collect::<Result<_, _>>()?;
        Ok(Self { user, password: word(url.password().unwrap_or("anonymous"))?, folders })
    }
}

/// A part of an address as one word of a command: a line break would begin another command.
fn word(part: &str) -> Result<String, Blocked> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        let decoded = match byte {
            b'%' => hex(rest.next()).zip(hex(rest.next())).map(|(high, low)| high * 16 + low),
            byte => Some(byte),
        };
        bytes.push(decoded.ok_or(Blocked::Address("it has a percent sign that means nothing"))?);
    }
    let word = String::from_utf8(bytes).ok().filter(|word| !word.chars().any(char::is_control));
    word.ok_or(Blocked::Address("it has characters that ftp cannot say"))
}

fn hex(digit: Option<u8>) -> Option<u8> {
    u8::try_from(char::from(digit?).to_digit(16)?).ok()
}

/// What a server says to a command.
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

/// The connection for commands.
struct Control {
    stream: BufReader<TcpStream>,
    /// Whom it is connected to.
    peer: SocketAddr,
}

impl Control {
    async fn open(url: &Url, private_hosts: &[String]) -> Result<Self, Blocked> {
        let host = url.host_str().unwrap_or_default();
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let port = url.port_or_known_default().unwrap_or(21);
        for peer in resolver::addresses(host, port, private_hosts).await? {
            if let Ok(stream) = connect(peer).await {
                return Ok(Self { stream: BufReader::new(stream), peer });
            }
        }
        Err(Blocked::NoAnswer)
    }

    /// Signs in and stores the file. The reply is that of the first step that was refused, or of the last one.
    async fn store(&mut self, place: &Place, parcel: Parcel<'_>) -> Result<Reply, Blocked> {
        let greeting = self.reply().await?;
        if !greeting.is_done() {
            return Ok(greeting);
        }
        let mut reply = self.ask(&format!("USER {}", place.user)).await?;
        if reply.code == 331 {
            reply = self.ask(&format!("PASS {}", place.password)).await?;
        }
        let folders = place.folders.iter().map(|folder| format!("CWD {folder}"));
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
        let begun = self.ask(&format!("STOR {}", parcel.name)).await?;
        if !matches!(begun.code, 125 | 150) {
            return Ok(begun);
        }
        data.write_all(parcel.body).await.map_err(broken)?;
        data.shutdown().await.map_err(broken)?;
        drop(data);
        let stored = self.reply().await?;
        // The file is there, whatever becomes of the farewell.
        let _farewell = self.stream.write_all(b"QUIT\r\n").await;
        Ok(stored)
    }

    /// The port that the server waits at: as of today (RFC 2428), or as of 1985.
    async fn passive_port(&mut self) -> Result<Result<u16, Reply>, Blocked> {
        let reply = self.ask("EPSV").await?;
        if let (229, Some(port)) = (reply.code, extended_port(&reply.text)) {
            return Ok(Ok(port));
        }
        let reply = self.ask("PASV").await?;
        Ok(match (reply.code, port(&reply.text)) {
            (227, Some(port)) => Ok(port),
            // A server that agrees and names no port has not answered.
            (200..300, _) => return Err(Blocked::NoAnswer),
            _ => Err(reply),
        })
    }

    async fn ask(&mut self, command: &str) -> Result<Reply, Blocked> {
        self.stream.write_all(format!("{command}\r\n").as_bytes()).await.map_err(broken)?;
        self.reply().await
    }

    /// One reply, of one line or of several (`123-` begins them, `123 ` ends them).
    async fn reply(&mut self) -> Result<Reply, Blocked> {
        let (mut left, mut text, mut code) = (LONGEST_REPLY, String::new(), None);
        loop {
            let mut line = Vec::new();
            let read = (&mut self.stream).take(left).read_until(b'\n', &mut line).await.map_err(broken)?;
            left = left.saturating_sub(read as u64);
            if line.pop() != Some(b'\n') {
                return Err(Blocked::NoAnswer);
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
                (None, None) => return Err(Blocked::NoAnswer),
                (Some(code), Some(number)) if code == number && is_last => return Ok(Reply { code, text }),
                (Some(_), _) => {}
            }
            text.push('\n');
        }
    }
}

async fn connect(peer: SocketAddr) -> Result<TcpStream, Blocked> {
    let connected = timeout(CONNECT, TcpStream::connect(peer)).await;
    connected.ok().and_then(Result::ok).ok_or(Blocked::NoAnswer)
}

fn broken(_error: std::io::Error) -> Blocked {
    Blocked::NoAnswer
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
    fn only_the_port_is_taken_from_what_a_server_says_about_itself() {
        assert_eq!(port("227 Entering Passive Mode (10,0,0,1,25,46)."), Some(6446));
        assert_eq!(extended_port("229 Entering Extended Passive Mode (|||6446|)"), Some(6446));
        for text in ["227 no", "227 (1,2,3,4,5)", "227 (1,2,3,4,0,0)", "227 (1,2,3,4,300,1)"] {
            assert_eq!(port(text), None, "{text}");
        }
        assert_eq!(extended_port("229 (|||70000|)"), None);
    }

    #[test]
    fn no_part_of_an_address_begins_another_command() {
        let place = |text: &str| Place::of(&Url::parse(text).expect("an address"));
        let found = place("ftp://a%40b:p%25w@host/in/b%20c/").expect("a place");
        assert_eq!((found.user.as_str(), found.password.as_str()), ("a@b", "p%w"));
        assert_eq!(found.folders, ["in", "b c"]);
        for text in ["ftp://a%0d%0aDELE%20x@host/", "ftp://a:b%0a@host/", "ftp://host/x%0D%0aSITE/", "ftp://host/%00"] {
            assert!(place(text).is_err(), "{text}");
        }
        assert!(place("ftp://host/%zz").is_err(), "no number");
    }
}
