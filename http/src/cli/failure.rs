//! Why a command fails.

use super::client::JobStatus;

/// An exit code with its reason.
#[derive(Debug)]
pub struct Failure {
    pub exit: u8,
    /// The server's error code or the job's status, if any.
    pub code: Option<String>,
    pub message: String,
}

impl Failure {
    /// The command line or a local file is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { exit: 2, code: None, message: message.into() }
    }

    /// The server cannot be reached, or its response is invalid.
    pub fn server(message: impl Into<String>) -> Self {
        Self { exit: 3, code: None, message: message.into() }
    }

    /// The server refused the request with an error code.
    pub fn refused(code: &str, message: impl Into<String>) -> Self {
        Self { exit: 3, code: Some(code.to_owned()), message: message.into() }
    }

    /// Ctrl-C or a termination signal.
    pub fn interrupted() -> Self {
        Self { exit: 130, code: None, message: "interrupted, the job was canceled".to_owned() }
    }

    /// The job is Done, but `count` outputs were not delivered.
    pub fn partial(count: usize) -> Self {
        let what = if count == 1 { "one output".to_owned() } else { format!("{count} outputs") };
        Self { exit: 4, code: Some("PARTIAL".to_owned()), message: format!("{what} of the job could not be delivered") }
    }

    /// The job ended in another status than Done.
    pub fn job(job: &JobStatus) -> Self {
        let reason = job.reason().unwrap_or_else(|| "no reason was given".to_owned());
        Self { exit: 1, code: Some(job.status.clone()), message: format!("{}: {reason}", job.status) }
    }
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        let address = error.url().map(|url| url.origin().ascii_serialization());
        let cause = innermost(&error);
        match (error.is_connect(), address) {
            (true, Some(address)) => Self::server(format!(
                "no server answers at {address} ({cause}); start one with `make run` or name it with --server"
            )),
            (_, Some(address)) => Self::server(format!("{address}: {cause}")),
            (_, None) => Self::server(cause),
        }
    }
}

/// The last cause in the chain, which is the most specific.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
