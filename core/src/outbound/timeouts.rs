//! Timeouts of outbound requests.

use std::time::Duration;

pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The whole exchange, including connecting.
pub(super) const TOTAL_TIMEOUT: Duration = Duration::from_secs(15);
