//! The agent, running: its tunnel, made again whenever it is cut, beside the guard of its server and the cleaning.

use std::process::ExitCode;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::guard::Keeper;
use crate::options::{Agent, Options};
use crate::protocol::{FromAgent, Hello, VERSION};
use crate::server::Server;
use crate::tunnel::{self, Over};
use crate::{clean, facts, fail, identity, say};

/// One answer of the server.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// How long a server may be silent, before a platform has said how long.
const HUNG_AFTER: Duration = Duration::from_secs(120);
/// The first wait before connecting again; doubles, with some chance in it, so that not all agents come at once.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// A tunnel that stood so long is made again at once.
const STABLE: Duration = Duration::from_secs(30);
const CLEAN_EVERY: Duration = Duration::from_secs(600);
const FACTS_EVERY: Duration = Duration::from_secs(300);

/// Runs the agent until a signal ends it.
pub async fn run(agent: Agent) -> ExitCode {
    let options = match agent.read(|name| std::env::var(name).ok()) {
        Ok(options) => options,
        Err(error) => return fail(&error),
    };
    let identity = match identity::known(&options.state, &options.name) {
        Ok(identity) => identity,
        Err(error) => return fail(&format!("{}: {error}", options.state.display())),
    };
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return fail("signals cannot be heard");
    };
    let asked_to_end = async {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    say(&format!("agent {} of {}, for the server {}", options.name, options.url, options.server));
    // Pinned: it would be a large part of the thread's stack.
    Box::pin(live(&options, identity, asked_to_end)).await;
    say("stopped");
    ExitCode::SUCCESS
}

async fn live(options: &Options, identity: String, asked_to_end: impl Future<Output = ()>) {
    let hung_after = watch::Sender::new(options.hung_after.unwrap_or(HUNG_AFTER));
    let server = Server::new(&options.server, ANSWERS_WITHIN.min(*hung_after.borrow()));
    let notes = watch::Sender::new(None);
    let mut keeper = Keeper::new(options, server.clone(), notes.clone(), hung_after.subscribe());
    keeper.begin().await;
    let (leaving, leaves) = watch::channel(false);
    let (ends, mut ended) = watch::channel(false);
    let connected =
        connect(options, identity, &server, Guarded { notes: &notes, hung_after: &hung_after }, leaves, &mut ended);
    let work = async {
        tokio::select! {
            () = keeper.keep() => {}
            () = cleaning(options) => {}
            () = asked_to_end => {}
        }
        say("stopping");
        leaving.send_replace(true);
        if keeper.owns() {
            finish(&server, options.finish_within).await;
        }
        ends.send_replace(true);
    };
    tokio::join!(connected, work);
    keeper.end().await;
}

/// What the guard of the server and the connection tell each other.
#[derive(Clone, Copy)]
struct Guarded<'a> {
    notes: &'a watch::Sender<Option<String>>,
    hung_after: &'a watch::Sender<Duration>,
}

impl Guarded<'_> {
    /// The tunnel stands. The server is given up when the platform gives it up, unless the operator says otherwise.
    fn connected(self, options: &Options, silent_seconds: Option<u64>) {
        say("connected");
        if let (None, Some(seconds)) = (options.hung_after, silent_seconds) {
            self.hung_after.send_replace(Duration::from_secs(seconds.max(1)));
        }
    }
}

/// Waits until the server has done what it has, or the time is over.
async fn finish(server: &Server, within: Duration) {
    let idle = async {
        // A server that does not answer any more finishes nothing.
        while server.prompts().await.is_ok_and(|prompts| prompts > 0) {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    if tokio::time::timeout(within, idle).await.is_err() {
        say("the server has not finished in time what it runs; it is tried elsewhere");
    }
}

async fn cleaning(options: &Options) {
    let mut times = tokio::time::interval(CLEAN_EVERY);
    loop {
        times.tick().await;
        for told in clean::clean_all(options.clean.clone(), options.keep, options.free_percent).await {
            say(&told);
        }
    }
}

/// Keeps a tunnel to the platform until the agent ends.
async fn connect(
    options: &Options,
    identity: String,
    server: &Server,
    guarded: Guarded<'_>,
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
        let (tells, says) = mpsc::channel(16);
        let known = hello.facts.clone();
        let began = Instant::now();
        let tunnel = tunnel::run(options, hello, says, |silent_seconds| guarded.connected(options, silent_seconds));
        let news = tell_news(tells, known, options, server, guarded.notes.subscribe(), leaves.clone(), ended);
        // With the news the channel ends, and the tunnel says goodbye; with the tunnel it ends too.
        let (over, ()) = tokio::join!(tunnel, news);
        if *ended.borrow() {
            return;
        }
        let stood = began.elapsed() >= STABLE;
        wait = match &over {
            Over::Elsewhere => Duration::from_millis(200),
            Over::Cut(_) if stood => Duration::ZERO,
            Over::Cut(_) | Over::Refused(_) => (wait * 2).clamp(FIRST_WAIT, LONGEST_WAIT),
        };
        match over {
            Over::Elsewhere => say("this node stops; connecting to another"),
            Over::Cut(reason) => say(&format!("the connection is cut: {reason}; connecting again")),
            Over::Refused(reason) => say(&format!("not connected: {reason}; trying again")),
        }
    }
}

/// Tells the platform what changes, until the tunnel is gone or the agent ends.
async fn tell_news(
    tells: mpsc::Sender<FromAgent>,
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
        let said = tokio::select! {
            () = tells.closed() => return,
            _ = ended.wait_for(|ended| *ended) => return,
            Ok(()) = notes.changed() => {
                let text = notes.borrow_and_update().clone();
                // A server that came up has told by now what it has.
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
        if tells.send(said).await.is_err() {
            return;
        }
    }
}
