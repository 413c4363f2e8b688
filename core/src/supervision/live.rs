//! How a part lives: it is polled until it ends, and a panic is caught.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;
use std::time::Instant;

use actix::dev::ContextFut;
use actix::{Actor, Context, Supervised};
use futures_util::FutureExt;

use super::state::Panics;
use super::watch::Watch;

type Panic = Box<dyn Any + Send>;

/// An actor that is started again when it panics.
pub(super) async fn keep<A>(mut life: ContextFut<A, Context<A>>, watch: Watch)
where
    A: Supervised + Actor<Context = Context<A>>,
{
    let mut keeper = Keeper::new(watch);
    while let Err(panic) = live(&mut life).await {
        keeper.rest(panic).await;
        // What it rebuilds may panic too.
        loop {
            match catch_unwind(AssertUnwindSafe(|| life.restart())) {
                Ok(true) => break,
                // Nobody has its address any more.
                Ok(false) => return,
                Err(panic) => keeper.rest(panic).await,
            }
        }
    }
}

/// An actor that lives once.
pub(super) async fn once<A>(mut life: ContextFut<A, Context<A>>, watch: Watch, panicked: impl FnOnce())
where
    A: Actor<Context = Context<A>>,
{
    if let Err(panic) = live(&mut life).await {
        watch.panicked(&*panic);
        panicked();
    }
}

/// A loop that begins again when it panics.
pub(super) async fn repeat<F: Future<Output = ()>>(mut begin: impl FnMut(Watch) -> F, watch: Watch) {
    let mut keeper = Keeper::new(watch.clone());
    // An async block, so that a panic before the first await is caught as well.
    let mut round = || {
        watch.at("begin");
        begin(watch.clone())
    };
    while let Err(panic) = AssertUnwindSafe(async { round().await }).catch_unwind().await {
        keeper.rest(panic).await;
    }
}

/// Lets an actor live until it stops or panics.
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

/// What is remembered of a part between its panics.
struct Keeper {
    watch: Watch,
    panics: Panics,
    began: Instant,
}

impl Keeper {
    fn new(watch: Watch) -> Self {
        Self { watch, panics: Panics::default(), began: Instant::now() }
    }

    async fn rest(&mut self, panic: Panic) {
        self.watch.panicked(&*panic);
        let (panics, pause) = self.panics.next(self.began.elapsed());
        self.panics = panics;
        let _down = self.watch.rests();
        tokio::time::sleep(pause).await;
        self.began = Instant::now();
    }
}
