//! How long others may take.

use std::time::Duration;

/// Until a connection is made.
pub(super) const CONNECT: Duration = Duration::from_secs(5);
/// The whole exchange.
pub(super) const WHOLE: Duration = Duration::from_secs(15);
