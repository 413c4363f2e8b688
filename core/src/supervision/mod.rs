//! Keeps alive what has a life of its own: actors and loops that panic are started again.
//!
//! A panic ends what was under way in that part and nothing else. An actor keeps its address and its mailbox, so that
//! whoever knows it need not hear of it; the message at which it panicked is gone, and those after it are handled when
//! it is up again. What it remembers it rebuilds in [`actix::Supervised::restarting`], from its rows. A part starts
//! again at once, and after a pause where it panics again and again (`state.rs`).
//!
//! What lives for one thing only, such as a job's actor, is not started again: its parent hears that it panicked
//! ([`Supervisor::start_once`]).

#[cfg(feature = "testing")]
pub mod faults;
mod live;
mod state;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix::dev::channel;
use actix::{Actor, Addr, AsyncContext, Context, Supervised};
use actix_rt::ArbiterHandle;

use crate::metrics::{self, Counters};
use crate::word_list::word_list;

word_list! {
    /// What has a life of its own on a node.
    pub enum Part for "part" {
        /// A shard of the ledger.
        Ledger => "ledger",
        Dispatcher => "dispatcher",
        /// The actor of a job in flight. It is not started again: the job is tried once more.
        Job => "job",
        /// Who keeps the roster.
        Fleet => "fleet",
        /// Who starts and stops the connections to workers.
        Connections => "connections",
        /// The connection to one worker.
        Connection => "connection",
        /// Hears what other nodes tell of the queue.
        Peers => "peers",
        /// Looks, for those who listen to jobs, at rows that other nodes change.
        Followers => "followers",
        /// Hears whom other nodes forget.
        Memory => "memory",
        /// Sends mail.
        Mail => "mail",
        /// A task of the upkeep.
        Upkeep => "upkeep",
        /// Follows the built-in worker to its address.
        BuiltIn => "built-in worker",
    }
}

/// Messages that may wait until an actor has said how many it wants.
const MAILBOX: usize = 16;

static PANICS: Counters<{ Part::ALL.len() }> = Counters::new(metrics::PANICS, "part", || Part::ALL.map(Part::name));

/// How a part of a node does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub part: Part,
    /// How often it panicked since the node started.
    pub panics: u32,
    /// How many of its kind rest after a panic now.
    pub down: u32,
    /// What the last panic said, and at which message.
    pub last: Option<String>,
}

/// Starts the parts of a node, and knows how they do. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Supervisor(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    parts: [Mutex<Health>; Part::ALL.len()],
    #[cfg(feature = "testing")]
    faults: faults::Faults,
}

/// What the supervisor knows of one actor or loop. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Watch {
    supervisor: Supervisor,
    part: Part,
    /// What it was at last.
    at: Arc<Mutex<&'static str>>,
}

impl Default for Supervisor {
    fn default() -> Self {
        PANICS.begin();
        let parts = Part::ALL.map(|part| Mutex::new(Health { part, panics: 0, down: 0, last: None }));
        Self(Arc::new(Inner {
            parts,
            #[cfg(feature = "testing")]
            faults: faults::Faults::default(),
        }))
    }
}

impl Supervisor {
    /// Starts an actor on the current arbiter. It is started again when it panics, and ends when it stops.
    pub fn start<A>(&self, part: Part, make: impl FnOnce(Watch) -> A) -> Addr<A>
    where
        A: Supervised + Actor<Context = Context<A>>,
    {
        let context = Context::new();
        let (address, watch) = (context.address(), self.watch(part));
        actix_rt::spawn(live::keep(context.into_future(make(watch.clone())), watch));
        address
    }

    /// The same on another arbiter.
    pub fn start_in<A>(
        &self,
        part: Part,
        arbiter: &ArbiterHandle,
        make: impl FnOnce(Watch) -> A + Send + 'static,
    ) -> Addr<A>
    where
        A: Supervised + Actor<Context = Context<A>>,
    {
        let (sender, receiver) = channel::channel(MAILBOX);
        let watch = self.watch(part);
        arbiter.spawn_fn(move || {
            let actor = make(watch.clone());
            actix_rt::spawn(live::keep(Context::with_receiver(receiver).into_future(actor), watch));
        });
        Addr::new(sender)
    }

    /// Starts an actor on the current arbiter that lives once; `panicked` is called where it ends by a panic.
    pub fn start_once<A>(&self, part: Part, make: impl FnOnce(Watch) -> A, panicked: impl FnOnce() + 'static) -> Addr<A>
    where
        A: Actor<Context = Context<A>>,
    {
        let context = Context::new();
        let (address, watch) = (context.address(), self.watch(part));
        actix_rt::spawn(live::once(context.into_future(make(watch.clone())), watch, panicked));
        address
    }

    /// Runs a loop on the current arbiter. It begins again when it panics, and ends when it returns.
    pub fn keep<F>(&self, part: Part, begin: impl FnMut(Watch) -> F + 'static)
    where
        F: Future<Output = ()> + 'static,
    {
        actix_rt::spawn(live::repeat(begin, self.watch(part)));
    }

    /// How often a part has panicked since the node started.
    #[must_use]
    pub fn panics(&self, part: Part) -> u32 {
        lock(&self.0.parts[part as usize]).panics
    }

    /// How the parts do that have panicked since the node started.
    #[must_use]
    pub fn troubled(&self) -> Vec<Health> {
        self.0.parts.iter().map(|part| lock(part).clone()).filter(|health| health.panics > 0).collect()
    }

    /// Makes parts panic, for tests.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn faults(&self) -> &faults::Faults {
        &self.0.faults
    }

    fn watch(&self, part: Part) -> Watch {
        Watch { supervisor: self.clone(), part, at: Arc::new(Mutex::new("start")) }
    }
}

impl Watch {
    /// Says what is done next, so that a panic tells at what it came.
    pub fn at(&self, what: &'static str) {
        *lock(&self.at) = what;
        #[cfg(feature = "testing")]
        self.supervisor.0.faults.meet(self.part, what);
    }

    fn panicked(&self, panic: &(dyn Any + Send)) {
        let (part, at, says) = (self.part, *lock(&self.at), said(panic));
        tracing::error!(part = part.name(), at, says, "a part of this node panicked");
        PANICS.add(part as usize, 1);
        let mut health = self.health();
        health.panics += 1;
        health.last = Some(format!("{at}: {says}"));
    }

    fn rests(&self) -> Rest {
        self.health().down += 1;
        Rest(self.clone())
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        lock(&self.supervisor.0.parts[self.part as usize])
    }
}

/// A part is down until this is dropped.
struct Rest(Watch);

impl Drop for Rest {
    fn drop(&mut self) {
        let mut health = self.0.health();
        health.down = health.down.saturating_sub(1);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "nothing that can be read".to_owned())
}
