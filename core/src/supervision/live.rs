//! Polls a part until it ends, and catches its panics.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;
use std::time::Instant;

use actix::dev::ContextFut;
use actix::{Actor, Context, Supervised};
use futures_util::FutureExt;

use super::state::PanicStreak;
use super::watch::Watch;

type Panic = Box<dyn Any + Send>;

/// Runs an actor with restarts.
pub(super) async fn keep<A>(mut life: ContextFut<A, Context<A>>, watch: Watch)
where
    A: Supervised + Actor<Context = Context<A>>,
{
    let mut restarter = Restarter::new(watch);
    while let Err(panic) = live(&mut life).await {
        restarter.pause_after(panic).await;
        // `restarting` may panic too.
        loop {
            match catch_unwind(AssertUnwindSafe(|| life.restart())) {
                Ok(true) => break,
                // No address of the actor is left.
                Ok(false) => return,
                Err(panic) => restarter.pause_after(panic).await,
            }
        }
    }
}

/// Runs an actor without restarts.
pub(super) async fn once<A>(mut life: ContextFut<A, Context<A>>, watch: Watch, panicked: impl FnOnce())
where
    A: Actor<Context = Context<A>>,
{
    if let Err(panic) = live(&mut life).await {
        watch.panicked(&*panic);
        panicked();
    }
}

/// Runs a loop with restarts.
pub(super) async fn repeat<F: Future<Output = ()>>(mut begin: impl FnMut(Watch) -> F, watch: Watch) {
    let mut restarter = Restarter::new(watch.clone());
    // The async block also catches panics before the first await.
    let mut round = || {
        watch.at("begin");
        begin(watch.clone())
    };
    while let Err(panic) = AssertUnwindSafe(async { round().await }).catch_unwind().await {
        restarter.pause_after(panic).await;
    }
}

/// Polls an actor until it stops or panics.
async fn live<A>(life: &mut ContextFut<A, Context<A>>) -> Result<(), Panic>
where
    A: Actor<Context = Context<A>>,
{
    poll_fn(|task| match catch_unwind(AssertUnwindSafe(|| Pin::new(&mut *life).poll(task))) {
        Ok(polled) => polled.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

/// Delays the restarts of a part.
struct Restarter {
    watch: Watch,
    panics: PanicStreak,
    began: Instant,
}

impl Restarter {
    fn new(watch: Watch) -> Self {
        Self { watch, panics: PanicStreak::default(), began: Instant::now() }
    }

    async fn pause_after(&mut self, panic: Panic) {
        self.watch.panicked(&*panic);
        let (panics, pause) = self.panics.next(self.began.elapsed());
        self.panics = panics;
        let _down = self.watch.mark_down();
        tokio::time::sleep(pause).await;
        self.began = Instant::now();
    }
}
