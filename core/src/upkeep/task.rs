//! A task: what is done, by whom, and how often.

use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use tokio::sync::Notify;

use crate::{Core, Result};

/// Something that is looked after.
#[derive(Clone, Copy)]
pub struct Task {
    /// Its name in rows, metrics and logs.
    pub name: &'static str,
    pub by: By,
    /// From the end of a round to the begin of the next.
    pub every: Duration,
    /// A round that takes longer is given up. What it has committed by then stays.
    pub deadline: Duration,
    /// Things that a round does at most; `None` where it does all there are.
    pub batch: Option<i64>,
    /// Does a round; tells how many things it did.
    pub(super) run: for<'a> fn(&'a Core) -> LocalBoxFuture<'a, Result<u64>>,
    /// Rings when there is something to do before it is due.
    pub(super) bell: Option<for<'a> fn(&'a Core) -> &'a Notify>,
}

/// Who does a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// One node, for all.
    OneNode,
    /// Every node, for itself.
    EachNode,
}
