//! Notices of the stand-ins: late, repeated, in any order, and again until the server takes them. Some are forged.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use reqwest::StatusCode;

use super::lock;
use crate::error::Result;

/// The longest delay of a notice: the next ones overtake it.
const MAX_DELAY_MS: u64 = 1500;
/// The share of notices that are sent once more.
const REPEATED: f64 = 0.3;
/// The pause before a notice is sent again that was not taken, and how often it is sent.
const PAUSE: Duration = Duration::from_millis(300);
const MAX_TRIES: usize = 60;
const TIMEOUT: Duration = Duration::from_secs(15);
/// Networks from which notices come, so that the limit of one does not end the drill.
const NETWORKS: usize = 100;

/// A notice to send.
#[derive(Debug, Clone)]
pub struct Notice {
    /// The last part of the server's address for notices.
    pub provider: &'static str,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    /// Whether the server must refuse it.
    pub is_forged: bool,
}

/// What became of all notices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoticeCounts {
    pub sent: usize,
    /// Sends after one that was not taken.
    pub retries: usize,
    pub taken: usize,
    pub forged: usize,
    /// Forged ones that were taken.
    pub forged_taken: usize,
    /// Genuine ones that were refused for good.
    pub refused: usize,
    /// Never taken, however often they were sent.
    pub given_up: usize,
}

/// Sends notices in the background. Cheap to clone.
#[derive(Debug, Clone)]
pub struct NoticeSender(Arc<SenderState>);

#[derive(Debug)]
struct SenderState {
    http: reqwest::Client,
    /// The server's base URL; unknown until it has started.
    server: OnceLock<String>,
    random: Mutex<StdRng>,
    counts: Mutex<NoticeCounts>,
    under_way: AtomicUsize,
}

impl NoticeSender {
    pub(super) fn new(seed: u64) -> Result<Self> {
        Ok(Self(Arc::new(SenderState {
            http: reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build()?,
            server: OnceLock::new(),
            random: Mutex::new(StdRng::seed_from_u64(seed)),
            counts: Mutex::default(),
            under_way: AtomicUsize::new(0),
        })))
    }

    /// Sends all notices to this server from now on.
    pub fn aim(&self, server: &str) {
        // It stays on its port, so that a second call says the same.
        let _known = self.0.server.set(server.to_owned());
    }

    pub fn counts(&self) -> NoticeCounts {
        *lock(&self.0.counts)
    }

    /// Notices that are delayed or not taken yet.
    pub fn under_way(&self) -> usize {
        self.0.under_way.load(Ordering::Relaxed)
    }

    /// Sends a notice once or twice, after delays of their own.
    pub(super) fn send(&self, notice: &Notice) {
        let delays: Vec<u64> = {
            let mut random = lock(&self.0.random);
            let copies = 1 + usize::from(random.random_bool(REPEATED));
            (0..copies).map(|_| random.random_range(0..MAX_DELAY_MS)).collect()
        };
        for delay in delays {
            let (state, notice) = (Arc::clone(&self.0), notice.clone());
            state.under_way.fetch_add(1, Ordering::Relaxed);
            drop(tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(delay)).await;
                state.deliver(&notice).await;
                state.under_way.fetch_sub(1, Ordering::Relaxed);
            }));
        }
    }
}

impl SenderState {
    async fn deliver(&self, notice: &Notice) {
        let number = {
            let mut counts = lock(&self.counts);
            counts.sent += 1;
            counts.forged += usize::from(notice.is_forged);
            counts.sent
        };
        let server = self.server.get().map_or("", String::as_str);
        let url = format!("{server}/api/public/payment-notice/{}", notice.provider);
        for attempt in 0..MAX_TRIES {
            if attempt > 0 {
                lock(&self.counts).retries += 1;
                tokio::time::sleep(PAUSE).await;
            }
            let mut request = self.http.post(&url).header("content-type", "application/json");
            request = request.header("x-forwarded-for", format!("10.200.{}.1", (number + attempt) % NETWORKS));
            for (name, value) in &notice.headers {
                request = request.header(*name, value);
            }
            let Ok(answer) = request.body(notice.body.clone()).send().await else { continue };
            let mut counts = lock(&self.counts);
            match answer.status() {
                StatusCode::OK => {
                    counts.taken += 1;
                    counts.forged_taken += usize::from(notice.is_forged);
                    return;
                }
                StatusCode::FORBIDDEN | StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST => {
                    counts.refused += usize::from(!notice.is_forged);
                    return;
                }
                _ => {}
            }
        }
        lock(&self.counts).given_up += 1;
    }
}
