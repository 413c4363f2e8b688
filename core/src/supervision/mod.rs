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
mod part;
mod state;
mod task;
#[cfg(test)]
mod tests;
mod watch;

use std::sync::Arc;

use actix::dev::channel;
use actix::{Actor, Addr, AsyncContext, Context, Supervised};
use actix_rt::ArbiterHandle;

pub use part::{Health, Part};
pub use task::spawn;
pub use watch::Watch;

use part::lock;
use watch::Parts;

/// Messages that may wait until an actor has said how many it wants.
const MAILBOX: usize = 16;

/// Starts the parts of a node, and knows how they do. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Supervisor(Arc<Parts>);

impl Supervisor {
    /// Starts an actor on the current arbiter. It is started again when it panics, and ends when it stops.
    pub fn start<A>(&self, part: Part, make: impl FnOnce(Watch) -> A) -> Addr<A>
    where
        A: Supervised + Actor<Context = Context<A>>,
    {
        let context = Context::new();
        let (address, watch) = (context.address(), self.watch(part));
        task::spawn(live::keep(context.into_future(make(watch.clone())), watch));
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
            task::spawn(live::keep(Context::with_receiver(receiver).into_future(actor), watch));
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
        task::spawn(live::once(context.into_future(make(watch.clone())), watch, panicked));
        address
    }

    /// Runs a loop on the current arbiter. It begins again when it panics, and ends when it returns.
    pub fn keep<F>(&self, part: Part, begin: impl FnMut(Watch) -> F + 'static)
    where
        F: Future<Output = ()> + 'static,
    {
        task::spawn(live::repeat(begin, self.watch(part)));
    }

    /// How often a part has panicked since the node started.
    #[must_use]
    pub fn panics(&self, part: Part) -> u32 {
        lock(&self.0.health[part as usize]).panics
    }

    /// How the parts do that have panicked since the node started.
    #[must_use]
    pub fn troubled(&self) -> Vec<Health> {
        self.0.health.iter().map(|part| lock(part).clone()).filter(|health| health.panics > 0).collect()
    }

    /// Makes parts panic, for tests.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn faults(&self) -> &faults::Faults {
        &self.0.faults
    }

    fn watch(&self, part: Part) -> Watch {
        Watch::new(Arc::clone(&self.0), part)
    }
}
