//! The HTTP connection pool and timeouts.

use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// Questions and commands.
    pub answer: Duration,
    /// `POST /prompt`: the server validates before it answers.
    pub prompt: Duration,
    /// Upload or download of one file.
    pub transfer: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(15),
            prompt: Duration::from_secs(60),
            transfer: Duration::from_secs(300),
        }
    }
}

/// The connection pool of one thread's clients. Connections belong to the runtime that opened them.
pub fn transport(timeouts: Timeouts) -> Result<reqwest::Client, reqwest::Error> {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // An error means that another thread has installed the same provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
    reqwest::Client::builder()
        .connect_timeout(timeouts.connect)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .tcp_nodelay(true)
        .pool_idle_timeout(Duration::from_secs(20))
        .build()
}
