//! The fifteen statuses of a job, and the four lanes of the queue.

use serde::{Deserialize, Serialize};

use crate::Fault;
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

/// What a status means for users, without the place or the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusGroup {
    Waiting,
    InFlight,
    Done,
    Failed,
    Canceled,
}

impl Status {
    #[must_use]
    pub fn group(self) -> StatusGroup {
        match self {
            Self::Pending => StatusGroup::Waiting,
            Self::Connecting | Self::Connected | Self::Running => StatusGroup::InFlight,
            Self::Done => StatusGroup::Done,
            Self::Canceled => StatusGroup::Canceled,
            Self::InvalidPrompt
            | Self::ExecuteError
            | Self::ConnectError
            | Self::WorkerConnectError
            | Self::WorkerExceptionError
            | Self::ExecutionTimeout
            | Self::ForceTimeout
            | Self::UnknownError
            | Self::WorkerShutdownError => StatusGroup::Failed,
        }
    }

    #[must_use]
    pub fn is_terminal(self) -> bool {
        !matches!(self.group(), StatusGroup::Waiting | StatusGroup::InFlight)
    }

    /// Whether the time on a worker is charged.
    #[must_use]
    pub fn is_charged(self) -> bool {
        matches!(self, Self::Done | Self::ExecuteError | Self::ExecutionTimeout | Self::Canceled)
    }

    /// Where the cause of a failed job is; `None` for one that did not fail.
    #[must_use]
    pub fn fault(self) -> Option<Fault> {
        match self {
            Self::Pending | Self::Connecting | Self::Connected | Self::Running | Self::Done | Self::Canceled => None,
            Self::InvalidPrompt | Self::ExecuteError => Some(Fault::Graph),
            Self::ExecutionTimeout => Some(Fault::Account),
            Self::ConnectError
            | Self::WorkerConnectError
            | Self::WorkerExceptionError
            | Self::ForceTimeout
            | Self::UnknownError
            | Self::WorkerShutdownError => Some(Fault::Server),
        }
    }
}

word_list! {
    /// A lane of the queue. Earlier lanes go first, and each but the last has a guaranteed share.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[repr(i16)]
    pub enum Lane for "lane" {
        /// Submitted in the browser.
        Interactive = 0 => "interactive",
        /// Submitted with an API key.
        Api = 1 => "api",
        Training = 2 => "training",
        /// Of a lower price: served when no other lane of its pool waits.
        Flex = 3 => "flex",
    } else Training
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_job_names_graph_account_or_server() {
        let names = |fault: Fault| {
            let of = Status::ALL.into_iter().filter(|status| status.fault() == Some(fault));
            of.map(Status::name).collect::<Vec<_>>()
        };
        assert_eq!(names(Fault::Graph), ["InvalidPrompt", "ExecuteError"]);
        assert_eq!(names(Fault::Account), ["ExecutionTimeout"]);
        for status in Status::ALL {
            assert_eq!(status.fault().is_some(), status.group() == StatusGroup::Failed, "{status:?}");
            assert!(status.fault() != Some(Fault::Server) || !status.is_charged(), "{status:?} is charged");
        }
    }
}
