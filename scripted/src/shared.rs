//! What the tasks of a scripted server share, and the life of its process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::model::Model;

/// Whether the process is there; each life has its own number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    Up(u64),
    Down(u64),
    Over,
}

/// What the server's tasks share.
pub(crate) struct Shared {
    pub(crate) model: Mutex<Model>,
    pub(crate) life: watch::Sender<Life>,
    /// Counts changes of the model, for whoever waits for one.
    pub(crate) changes: watch::Sender<u64>,
    pub(crate) log: watch::Sender<Vec<String>>,
}

impl Shared {
    pub(crate) fn model(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Waits until the model is as wanted.
    pub(crate) async fn until(&self, wanted: impl Fn(&mut Model) -> bool) {
        let mut changes = self.changes.subscribe();
        loop {
            changes.borrow_and_update();
            if wanted(&mut self.model()) || changes.changed().await.is_err() {
                return;
            }
        }
    }

    pub(crate) fn note(&self, line: &str) {
        if self.model().options.log {
            self.log.send_modify(|log| log.push(line.to_owned()));
        }
    }

    pub(crate) fn kill(&self) {
        self.model().forget();
        self.life.send_modify(|life| {
            if let Life::Up(number) = *life {
                *life = Life::Down(number);
            }
        });
        self.changed();
    }

    pub(crate) fn revive(&self) {
        self.model().forget();
        self.life.send_modify(|life| {
            if let Life::Down(number) = *life {
                *life = Life::Up(number + 1);
            }
        });
    }

    pub(crate) fn restart(&self) {
        self.model().forget();
        self.life.send_modify(|life| {
            if let Life::Up(number) = *life {
                *life = Life::Up(number + 1);
            }
        });
        self.changed();
    }
}
