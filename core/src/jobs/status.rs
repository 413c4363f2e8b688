//! The fifteen statuses of a job, and the three lanes of the queue.

use serde::{Deserialize, Serialize};

use crate::word_list::word_list;

word_list! {
    /// The status of a job, in the API, the database and the pages.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[repr(i16)]
    pub enum Status for "status" {
        /// Accepted and durable, waiting for a worker.
        Pending = 0,
        /// A worker was chosen and gets the inputs.
        Connecting = 1,
        /// The worker has accepted the prompt.
        Connected = 2,
        /// The worker has begun to execute.
        Running = 3,
        /// Outputs are stored.
        Done = 4,
        /// The graph was refused, at the submit or by the worker.
        InvalidPrompt = 5,
        /// A node raised an exception.
        ExecuteError = 6,
        /// No worker that can run the graph was found in time.
        ConnectError = 7,
        /// No worker could be reached, after retries.
        WorkerConnectError = 8,
        /// The worker broke the protocol or answered 5xx, after retries.
        WorkerExceptionError = 9,
        /// Ran longer than its plan, or its credits, allow.
        ExecutionTimeout = 10,
        /// Canceled by its owner or an admin.
        Canceled = 11,
        /// Stopped by the watchdog (a silent worker) or by an operator.
        ForceTimeout = 12,
        /// Anything else; logged with the job id.
        UnknownError = 13,
        /// The worker was lost, after retries.
        WorkerShutdownError = 14,
    } else UnknownError
}

impl Status {
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
    /// A lane of the queue. Earlier lanes go first, and each has a guaranteed share.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[repr(i16)]
    pub enum Lane for "lane" {
        /// Submitted in the browser.
        Interactive = 0 => "interactive",
        /// Submitted with an API key.
        Api = 1 => "api",
        Training = 2 => "training",
    } else Training
}
