//! Rate limits per account, network address or mail address.

use std::time::Duration;

use super::request_origin::RequestOrigin;
use super::secrets::slowdown;
use crate::{Core, Error, Result};

/// The window of most limits.
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Counts one use of `what` by `whom`, with at most `most` per hour.
///
/// # Errors
/// [`Error::RateLimited`] beyond the limit.
pub async fn take(core: &Core, what: &str, whom: &str, most: u32) -> Result<()> {
    let counted = core.shared.incr(&format!("quota:{what}:{whom}"), HOUR).await;
    if counted.count > u64::from(most) {
        return Err(Error::RateLimited { retry_after_seconds: counted.ends_in.as_secs().max(1) });
    }
    Ok(())
}

/// As [`take`], for the network of a request; a request without an address is not counted.
///
/// # Errors
/// As [`take`].
pub async fn take_from(core: &Core, what: &str, origin: &RequestOrigin, most: u32) -> Result<()> {
    match origin.address {
        Some(address) => take(core, what, &slowdown::network(address), most).await,
        None => Ok(()),
    }
}

/// Whether this is the first use of `what` by `whom` within a day.
pub(super) async fn is_first_of_day(core: &Core, what: &str, whom: &str) -> bool {
    core.shared.incr(&format!("quota:{what}:{whom}"), DAY).await.count == 1
}
