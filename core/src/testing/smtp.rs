//! An SMTP server that keeps the mails it is given.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use crate::settings::{MailTls, Settings};

/// An SMTP server that keeps what it is given, and answers what it is told to.
#[derive(Debug, Clone, Default)]
pub struct Smtp {
    pub mails: Arc<Mutex<Vec<String>>>,
    /// The answer to the recipient, where it is not welcome.
    pub refusal: Arc<Mutex<Option<&'static str>>>,
}

impl Smtp {
    /// Listens on loopback; tells the port.
    ///
    /// # Panics
    /// Where there is no port.
    pub async fn start(&self) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let server = self.clone();
        actix_rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                actix_rt::spawn(server.clone().talk(stream));
            }
        });
        port
    }

    async fn talk(self, stream: tokio::net::TcpStream) {
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read).lines();
        let mut mail = None;
        drop(write.write_all(b"220 stand-in\r\n").await);
        while let Ok(Some(line)) = lines.next_line().await {
            if let Some(text) = &mut mail {
                if line == "." {
                    self.mails.lock().expect("the mails").push(std::mem::take(text));
                    mail = None;
                    drop(write.write_all(b"250 kept\r\n").await);
                } else {
                    text.push_str(&line);
                    text.push('\n');
                }
                continue;
            }
            let refusal = *self.refusal.lock().expect("the refusal");
            let answer = match line.get(..4).unwrap_or_default().to_ascii_uppercase().as_str() {
                "EHLO" => "250 stand-in",
                "RCPT" => refusal.unwrap_or("250 welcome"),
                "DATA" => {
                    mail = Some(String::new());
                    "354 go on"
                }
                "QUIT" => "221 bye",
                _ => "250 fine",
            };
            drop(write.write_all(format!("{answer}\r\n").as_bytes()).await);
        }
    }

    /// Has a server send its mail here.
    pub fn configure(settings: &mut Settings, port: u16) {
        settings.mail.host = Some("127.0.0.1".to_owned());
        settings.mail.port = port;
        settings.mail.tls = MailTls::None;
    }

    /// The mails to this address, the oldest first.
    ///
    /// # Panics
    /// Where another test thread panicked while it held the mails.
    #[must_use]
    pub fn mails_to(&self, address: &str) -> Vec<String> {
        let is_to = |mail: &&String| mail.lines().any(|line| line == format!("To: {address}"));
        self.mails.lock().expect("the mails").iter().filter(is_to).cloned().collect()
    }
}
