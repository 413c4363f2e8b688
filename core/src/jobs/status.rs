//! The fifteen statuses of a job, and the three lanes of the queue.

use serde::{Deserialize, Serialize};

macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident = $number:literal),+ $(,)?) => {
        /// Where a job is. Nothing else appears in the API, the database or the pages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(i16)]
        pub enum Status {
            $($(#[$doc])* $name = $number),+
        }

        impl Status {
            /// All fifteen.
            pub const ALL: [Self; 15] = [$(Self::$name),+];

            /// The specification's word.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name)),+
                }
            }

            /// From the database's number; what no release has written reads as [`Status::UnknownError`].
            #[must_use]
            pub fn from_number(number: i16) -> Self {
                match number {
                    $($number => Self::$name,)+
                    _ => Self::UnknownError,
                }
            }
        }
    };
}

statuses! {
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

impl std::str::FromStr for Status {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|status| status.name() == name).ok_or(())
    }
}

/// Who a job is for. A lane goes before the ones after it, and each has a guaranteed share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[repr(i16)]
pub enum Lane {
    /// Somebody sits in front of it.
    Interactive = 0,
    /// A program.
    Api = 1,
    Training = 2,
}

impl Lane {
    /// In the order of the queue.
    pub const ALL: [Self; 3] = [Self::Interactive, Self::Api, Self::Training];

    /// The word in views and metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Api => "api",
            Self::Training => "training",
        }
    }

    /// From the database's number.
    #[must_use]
    pub fn from_number(number: i16) -> Self {
        match number {
            0 => Self::Interactive,
            1 => Self::Api,
            _ => Self::Training,
        }
    }
}
