//! Follows a job by its live events, like a waiting page.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Statuses of a job that has not ended.
const LIVE: [&str; 4] = ["Pending", "Connecting", "Connected", "Running"];

/// Reads a job's event stream until the job ends and returns its last status. `request` opens the stream.
pub async fn follow(address: SocketAddr, request: &[u8]) -> Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    stream.write_all(request).await?;
    let mut seen = Vec::with_capacity(4096);
    loop {
        if let Some(status) = last_status(&seen) {
            return Ok(status);
        }
        if stream.read_buf(&mut seen).await? == 0 {
            let head = seen.split(|byte| *byte == b'\r').next().unwrap_or_default();
            let head = String::from_utf8_lossy(head).into_owned();
            return Err(Error::new(ErrorKind::UnexpectedEof, format!("a stream of events ended early: {head}")));
        }
    }
}

/// The final status, if it has arrived. Each event is one chunk of the answer, so that a chunk's head never splits its
/// line.
fn last_status(seen: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(seen);
    let (_, event) = text.rsplit_once("event: status\ndata: ")?;
    let (data, _) = event.split_once("\n\n")?;
    let status: Value = serde_json::from_str(data).ok()?;
    let status = status.get("status")?.as_str()?;
    (!LIVE.contains(&status)).then(|| status.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_ends_with_a_complete_final_status() {
        let running = b"40\r\nid: 3\nevent: status\ndata: {\"status\":\"Running\"}\n\n\r\n";
        assert_eq!(last_status(running), None);
        let cut = [&running[..], b"41\r\nid: 4\nevent: status\ndata: {\"status\":\"Done\""].concat();
        assert_eq!(last_status(&cut), None);
        let whole = [&cut[..], b"}\n\n\r\n0\r\n\r\n"].concat();
        assert_eq!(last_status(&whole).as_deref(), Some("Done"));
    }
}
