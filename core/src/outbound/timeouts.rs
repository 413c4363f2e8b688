//! Timeouts of outbound requests.

use std::time::Duration;

pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The whole exchange, including connecting.
pub(super) const TOTAL_TIMEOUT: Duration = Duration::from_secs(15);
/// How long the body of a response is read after the status of a delivery has arrived.
pub(super) const BODY_TIMEOUT: Duration = Duration::from_secs(2);
