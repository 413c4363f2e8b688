//! Whose picture is worked on next: uploads of one account come one after the other, so that somebody who sends many
//! large ones waits for themselves, and everybody else for one of theirs at most.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::ids::UserId;
use crate::{Error, Result};

/// Uploads of one account that may wait for their turn.
const WAITING: usize = 24;

/// The accounts that have something to be worked on. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(in crate::assets) struct Turns(Arc<Mutex<HashMap<UserId, Line>>>);

/// What one account has waiting.
#[derive(Debug)]
struct Line {
    turn: Arc<Semaphore>,
    /// Whoever has the turn, and all who wait for it.
    there: usize,
}

/// The turn of an account, until it is dropped.
#[derive(Debug)]
pub(in crate::assets) struct Turn {
    _permit: OwnedSemaphorePermit,
    _in_line: InLine,
}

/// A place in the line of an account. The line goes with the last of them, also where somebody gives up waiting.
#[derive(Debug)]
struct InLine {
    turns: Turns,
    account: UserId,
}

impl Turns {
    /// Waits for the account's turn.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where too many of its uploads wait already.
    pub async fn wait(&self, account: UserId) -> Result<Turn> {
        let (turn, in_line) = self.stand_in_line(account)?;
        let permit = turn.acquire_owned().await.map_err(|error| Error::Internal(format!("pictures: {error}")))?;
        Ok(Turn { _permit: permit, _in_line: in_line })
    }

    fn stand_in_line(&self, account: UserId) -> Result<(Arc<Semaphore>, InLine)> {
        let mut lines = self.lines();
        let line = lines.entry(account).or_insert_with(|| Line { turn: Arc::new(Semaphore::new(1)), there: 0 });
        if line.there > WAITING {
            return Err(Error::Unavailable {
                message: "too many of your pictures are being worked on".to_owned(),
                retry_after_seconds: 5,
            });
        }
        line.there += 1;
        Ok((Arc::clone(&line.turn), InLine { turns: self.clone(), account }))
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<UserId, Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InLine {
    fn drop(&mut self) {
        let mut lines = self.turns.lines();
        if let Some(line) = lines.get_mut(&self.account) {
            line.there -= 1;
            if line.there == 0 {
                lines.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn one_accounts_uploads_come_one_after_the_other_and_keep_nobody_else_waiting() {
        let turns = Turns::default();
        let (ann, bo) = (UserId::new(), UserId::new());
        let first = turns.wait(ann).await.expect("the first turn");
        let mut second = Box::pin(turns.wait(ann));
        assert!((&mut second).now_or_never().is_none(), "two of one account are worked on at once");
        let other = turns.wait(bo).now_or_never().expect("somebody else waits for her").expect("a turn");
        drop(first);
        let second = second.now_or_never().expect("her next one").expect("a turn");
        drop((second, other));
        assert!(turns.lines().is_empty(), "accounts without uploads are remembered");
    }

    #[tokio::test]
    async fn an_account_with_too_many_uploads_is_sent_away_alone() {
        let turns = Turns::default();
        let (ann, bo) = (UserId::new(), UserId::new());
        let mut waiting: Vec<_> = (0..=WAITING).map(|_| Box::pin(turns.wait(ann))).collect();
        let there: Vec<_> = waiting.iter_mut().map(|one| one.now_or_never()).collect();
        assert!(there[0].is_some() && there[1..].iter().all(Option::is_none));
        let refused = turns.wait(ann).now_or_never().expect("an answer at once");
        assert!(matches!(refused, Err(Error::Unavailable { .. })), "{refused:?}");
        assert!(turns.wait(bo).now_or_never().is_some_and(|turn| turn.is_ok()));
        // Whoever gives up leaves the line.
        drop((waiting, there));
        assert!(turns.lines().is_empty());
    }
}
