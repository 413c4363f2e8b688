//! The fifteen statuses of a job, and the three lanes of the queue.

use serde::{Deserialize, Serialize};

use crate::word_list::word_list;

word_list! {
    /// Where a job is. Nothing else appears in the API, the database or the pages.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[repr(i16)]
    pub enum Status for "status" {
        /// Accepted and durable, waiting for a worker.
        Pending = 0,
        /// A worker is chosen; inputs are being sent to it.
        Connecting = 1,
        /// The worker has accepted the prompt.
        Connected = 2,
        /// The worker has begun to execute.
        Running = 3,
        /// Outputs are stored.
        Done = 4,
        /// The graph was refused, by our own check or by the worker.
        InvalidPrompt = 5,
        /// A node raised.
        ExecuteError = 6,
        /// No worker that can run this graph was found in time.
        ConnectError = 7,
        /// Workers were found and none could be reached, after retries.
        WorkerConnectError = 8,
        /// The worker broke the protocol or answered 5xx, after retries.
        WorkerExceptionError = 9,
        /// Ran longer than its plan, or its credits, allow.
        ExecutionTimeout = 10,
        /// Ended by its owner.
        Canceled = 11,
        /// Stopped by the watchdog (a silent worker) or by an operator.
        ForceTimeout = 12,
        /// Anything else; logged with the job id.
        UnknownError = 13,
        /// The worker went away while running, after retries.
        WorkerShutdownError = 14,
    } else UnknownError
}

impl Status {
    /// Whether the job has ended.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        !matches!(self, Self::Pending | Self::Connecting | Self::Connected | Self::Running)
    }

    /// Whether the time on a worker is charged.
    #[must_use]
    pub fn is_charged(self) -> bool {
        matches!(self, Self::Done | Self::ExecuteError | Self::ExecutionTimeout | Self::Canceled)
    }
}

word_list! {
    /// Who a job is for. A lane goes before the ones after it, and each has a guaranteed share.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[repr(i16)]
    pub enum Lane for "lane" {
        /// Somebody sits in front of it.
        Interactive = 0 => "interactive",
        /// A program.
        Api = 1 => "api",
        Training = 2 => "training",
    } else Training
}
