use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use crate::settings::{MailTls, Settings};

/// An SMTP server that keeps all mails.
#[derive(Debug, Clone, Default)]
pub struct TestSmtp {
    pub mails: Arc<Mutex<Vec<String>>>,
    /// The response to the recipient, if it is refused.
    pub refusal: Arc<Mutex<Option<&'static str>>>,
}

impl TestSmtp {
    /// Listens on loopback and returns the port.
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

    /// Configures a core to send mail here.
    pub fn configure(settings: &mut Settings, port: u16) {
        settings.mail.host = Some("127.0.0.1".to_owned());
        settings.mail.port = port;
        settings.mail.tls = MailTls::None;
    }

    /// The mails to this address, in order.
    #[must_use]
    pub fn mails_to(&self, address: &str) -> Vec<String> {
        let is_to = |mail: &&String| mail.lines().any(|line| line == format!("To: {address}"));
        self.mails.lock().expect("the mails").iter().filter(is_to).cloned().collect()
    }
}
