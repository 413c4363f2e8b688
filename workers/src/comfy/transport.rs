//! What lies below a client: connections, and how long calls may take.

use std::time::Duration;

/// How long calls may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// Questions and commands.
    pub answer: Duration,
    /// `POST /prompt`: the server validates before it answers.
    pub prompt: Duration,
    /// One file, either way.
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

/// The connections below all clients of one thread; they belong to the runtime that opened them.
///
/// # Errors
/// Where the TLS set-up of the machine cannot be read.
pub fn transport(timeouts: Timeouts) -> Result<reqwest::Client, reqwest::Error> {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Losing this race means that another thread has installed the same provider.
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
