//! Runs the agent: its tunnel, reconnected whenever it breaks, its server monitor and the periodic cleaning.

use std::process::ExitCode;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::guard::ServerMonitor;
use crate::options::{Agent, Options};
use crate::protocol::{FromAgent, Hello, VERSION};
use crate::server::Server;
use crate::tunnel::{self, TunnelEnd};
use crate::{clean, facts, fail, identity, log};

/// Timeout of one request to the server.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a server may be silent, until the platform sets another limit.
const HUNG_AFTER: Duration = Duration::from_secs(120);
/// The first pause before reconnecting. Doubles, with jitter, so that not all agents reconnect at once.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// A tunnel that was up this long is reconnected without a pause.
const STABLE: Duration = Duration::from_secs(30);
const CLEAN_EVERY: Duration = Duration::from_secs(600);
const FACTS_EVERY: Duration = Duration::from_secs(300);

/// Runs the agent until SIGINT or SIGTERM.
pub async fn run(agent: Agent) -> ExitCode {
    let options = match agent.read(|name| std::env::var(name).ok()) {
        Ok(options) => options,
        Err(error) => return fail(&error),
    };
    let identity = match identity::load_or_create(&options.state, &options.name) {
        Ok(identity) => identity,
        Err(error) => return fail(&format!("{}: {error}", options.state.display())),
    };
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return fail("cannot install signal handlers");
    };
    let shutdown = async {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    log(&format!("agent {} of {}, for the server {}", options.name, options.url, options.server));
    // Boxed: it would be a large part of the thread's stack.
    Box::pin(connect_and_monitor(&options, identity, shutdown)).await;
    log("stopped");
    ExitCode::SUCCESS
}

async fn connect_and_monitor(options: &Options, identity: String, shutdown: impl Future<Output = ()>) {
    let hung_after = watch::Sender::new(options.hung_after.unwrap_or(HUNG_AFTER));
    let server = Server::new(&options.server, ANSWER_TIMEOUT.min(*hung_after.borrow()));
    let notes = watch::Sender::new(None);
    let mut monitor = ServerMonitor::new(options, server.clone(), notes.clone(), hung_after.subscribe());
    monitor.start_server().await;
    let (leaving, leaves) = watch::channel(false);
    let (ends, mut ended) = watch::channel(false);
    let connected = connect(
        options,
        identity,
        &server,
        MonitorChannels { notes: &notes, hung_after: &hung_after },
        leaves,
        &mut ended,
    );
    let work = async {
        tokio::select! {
            () = monitor.run() => {}
            () = clean_periodically(options) => {}
            () = shutdown => {}
        }
        log("stopping");
        leaving.send_replace(true);
        if monitor.owns_server() {
            wait_until_idle(&server, options.finish_within).await;
        }
        ends.send_replace(true);
    };
    tokio::join!(connected, work);
    monitor.stop_server().await;
}

/// Channels between the server monitor and the connection.
#[derive(Clone, Copy)]
struct MonitorChannels<'a> {
    notes: &'a watch::Sender<Option<String>>,
    hung_after: &'a watch::Sender<Duration>,
}

impl MonitorChannels<'_> {
    /// Handles that the tunnel is connected. Uses the platform's limit for silent servers unless the operator set one.
    fn connected(self, options: &Options, silent_seconds: Option<u64>) {
        log("connected");
        if let (None, Some(seconds)) = (options.hung_after, silent_seconds) {
            self.hung_after.send_replace(Duration::from_secs(seconds.max(1)));
        }
    }
}

/// Waits until the server is idle or the time is up.
async fn wait_until_idle(server: &Server, within: Duration) {
    let idle = async {
        // A server that does not answer will not finish.
        while server.prompts().await.is_ok_and(|prompts| prompts > 0) {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    if tokio::time::timeout(within, idle).await.is_err() {
        log("the server did not finish its prompts in time; the platform retries them elsewhere");
    }
}

async fn clean_periodically(options: &Options) {
    let mut times = tokio::time::interval(CLEAN_EVERY);
    loop {
        times.tick().await;
        for message in clean::clean_all(options.clean.clone(), options.keep, options.free_percent).await {
            log(&message);
        }
    }
}

/// Keeps a tunnel to the platform until the agent ends.
async fn connect(
    options: &Options,
    identity: String,
    server: &Server,
    channels: MonitorChannels<'_>,
    leaves: watch::Receiver<bool>,
    ended: &mut watch::Receiver<bool>,
) {
    let run = identity::random();
    let mut wait = Duration::ZERO;
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait.mul_f64(0.5 + rand::random::<f64>() / 2.0)) => {}
            _ = ended.wait_for(|ended| *ended) => return,
        }
        let facts = facts::find(server, &options.models).await;
        let hello = Hello {
            protocol: VERSION,
            name: options.name.clone(),
            pool: options.pool.clone(),
            identity: identity.clone(),
            run: run.clone(),
            facts,
        };
        let (sender, messages) = mpsc::channel(16);
        let known = hello.facts.clone();
        let began = Instant::now();
        let tunnel =
            tunnel::run(options, hello, messages, |silent_seconds| channels.connected(options, silent_seconds));
        let updates = send_updates(sender, known, options, server, channels.notes.subscribe(), leaves.clone(), ended);
        // When updates end, their channel closes and the tunnel shuts down. When the tunnel ends, updates end.
        let (end, ()) = tokio::join!(tunnel, updates);
        if *ended.borrow() {
            return;
        }
        let was_stable = began.elapsed() >= STABLE;
        wait = match &end {
            TunnelEnd::NodeStopping => Duration::from_millis(200),
            TunnelEnd::Cut(_) if was_stable => Duration::ZERO,
            TunnelEnd::Cut(_) | TunnelEnd::Refused(_) => (wait * 2).clamp(FIRST_WAIT, LONGEST_WAIT),
        };
        match end {
            TunnelEnd::NodeStopping => log("the node stops; connecting to another one"),
            TunnelEnd::Cut(reason) => log(&format!("connection lost: {reason}; reconnecting")),
            TunnelEnd::Refused(reason) => log(&format!("cannot connect: {reason}; retrying")),
        }
    }
}

/// Sends changes to the platform until the tunnel is closed or the agent ends.
async fn send_updates(
    sender: mpsc::Sender<FromAgent>,
    mut known: crate::protocol::Facts,
    options: &Options,
    server: &Server,
    mut notes: watch::Receiver<Option<String>>,
    mut leaves: watch::Receiver<bool>,
    ended: &mut watch::Receiver<bool>,
) {
    let mut times = tokio::time::interval_at(Instant::now() + FACTS_EVERY, FACTS_EVERY);
    notes.mark_changed();
    leaves.mark_changed();
    loop {
        let message = tokio::select! {
            () = sender.closed() => return,
            _ = ended.wait_for(|ended| *ended) => return,
            Ok(()) = notes.changed() => {
                let text = notes.borrow_and_update().clone();
                // A server that has just started now reports its devices.
                if text.is_none() { times.reset_immediately(); }
                FromAgent::Note { text }
            }
            Ok(()) = leaves.changed() => {
                if !*leaves.borrow_and_update() { continue }
                FromAgent::Leaving
            }
            _ = times.tick() => {
                let found = facts::find(server, &options.models).await;
                if found == known { continue }
                known = found.clone();
                FromAgent::Facts(Box::new(found))
            }
        };
        if sender.send(message).await.is_err() {
            return;
        }
    }
}
