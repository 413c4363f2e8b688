//! State that all HTTP threads of a node share, beside the core.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::http::header::HeaderValue;
use tokio::sync::watch;
use verdigraph_core::settings::Settings;
use verdigraph_workers::tunnel::Tunnels;

use crate::connections::Connections;
use crate::limits::{Limits, Rates};
use crate::metrics::Gauges;
use crate::policy;
use crate::polls::Polls;
use crate::streams::Streams;

/// Limits, live streams, reads that wait, metrics, policies, and whether the node is stopping.
pub struct Edge {
    pub limits: Limits,
    pub streams: Arc<Streams>,
    pub polls: Arc<Polls>,
    pub connections: Arc<Connections>,
    pub gauges: Gauges,
    /// Tunnels to workers, opened by agents.
    pub tunnels: Tunnels,
    /// The pages' content security policy.
    pub page_policy: HeaderValue,
    /// Whether clients reach the installation by HTTPS.
    pub is_https: bool,
    draining: AtomicBool,
    stopping: watch::Sender<bool>,
}

impl Edge {
    /// Configured by the settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let limits = &settings.limits;
        Self {
            limits: Limits::new(Rates {
                per_key: limits.requests_per_minute_per_key,
                per_account: limits.requests_per_minute_per_account,
                per_address: limits.requests_per_minute_per_address,
            }),
            streams: Arc::new(Streams::new(limits.streams_per_account as usize, limits.streams_per_node as usize)),
            polls: Arc::default(),
            connections: Arc::new(Connections::new(limits.connections_per_node as usize)),
            gauges: Gauges::default(),
            tunnels: Tunnels::default(),
            page_policy: policy::pages(settings),
            is_https: settings.server.base_url.as_deref().is_some_and(|url| url.starts_with("https://")),
            draining: AtomicBool::new(false),
            stopping: watch::Sender::new(false),
        }
    }

    /// Uses the tunnels that the node's worker connections use.
    #[must_use]
    pub fn with_tunnels(self, tunnels: Tunnels) -> Self {
        Self { tunnels, ..self }
    }

    /// Announces the stop to load balancers and clients. Requests are still served.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Whether new clients should go to another node.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed) || *self.stopping.borrow()
    }

    /// Ends the live streams. The server waits for running requests, and streams would last as long as their jobs.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Becomes `true` when the node is about to stop.
    #[must_use]
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }
}
