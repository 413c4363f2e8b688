//! Restarts the parts of a node, which are actors and loops, after a panic.
//!
//! A panic ends the current work of one part only. An actor keeps its address and its mailbox. The message at which it
//! panicked is lost, and the later ones are handled after the restart. The actor rebuilds its state from its rows in
//! [`actix::Supervised::restarting`]. Repeated panics delay the restart (`state.rs`).
//!
//! An actor with a single task, such as a job's actor, is not restarted: its parent is notified of the panic
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

pub use part::{Part, PartHealth};
pub use task::spawn;
pub use watch::Watch;

use part::lock;
use watch::PartRegistry;

/// The mailbox capacity until an actor sets its own.
const MAILBOX: usize = 16;

/// Starts the parts of a node, and knows their health. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Supervisor(Arc<PartRegistry>);

impl Supervisor {
    /// Starts an actor on the current arbiter, and restarts it after panics until it stops.
    pub fn start<A>(&self, part: Part, make: impl FnOnce(Watch) -> A) -> Addr<A>
    where
        A: Supervised + Actor<Context = Context<A>>,
    {
        let context = Context::new();
        let (address, watch) = (context.address(), self.watch(part));
        task::spawn(live::keep(context.into_future(make(watch.clone())), watch));
        address
    }

    /// As [`Self::start`], on another arbiter.
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

    /// Starts an actor on the current arbiter without restarts; `panicked` is called if it ends by a panic.
    pub fn start_once<A>(&self, part: Part, make: impl FnOnce(Watch) -> A, panicked: impl FnOnce() + 'static) -> Addr<A>
    where
        A: Actor<Context = Context<A>>,
    {
        let context = Context::new();
        let (address, watch) = (context.address(), self.watch(part));
        task::spawn(live::once(context.into_future(make(watch.clone())), watch, panicked));
        address
    }

    /// Runs a loop on the current arbiter, and restarts it after panics until it returns.
    pub fn keep<F>(&self, part: Part, begin: impl FnMut(Watch) -> F + 'static)
    where
        F: Future<Output = ()> + 'static,
    {
        task::spawn(live::repeat(begin, self.watch(part)));
    }

    /// The panics of a part since the start of the node.
    #[must_use]
    pub fn panics(&self, part: Part) -> u32 {
        lock(&self.0.health[part as usize]).panics
    }

    /// The parts that have panicked since the start of the node.
    #[must_use]
    pub fn troubled(&self) -> Vec<PartHealth> {
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
