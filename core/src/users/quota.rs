//! How often something may be asked for: counted for an account, an address of the network, or a mail address.

use std::time::Duration;

use crate::{Core, Error, Result};

/// The window that most is counted in.
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Counts one more of `what` for `whom`, of which there may be `most` in an hour.
///
/// # Errors
/// [`Error::RateLimited`] where there were as many.
pub async fn take(core: &Core, what: &str, whom: &str, most: u32) -> Result<()> {
    let counted = core.shared.incr(&format!("quota:{what}:{whom}"), HOUR).await;
    if counted.count > u64::from(most) {
        return Err(Error::RateLimited { retry_after_seconds: counted.ends_in.as_secs().max(1) });
    }
    Ok(())
}

/// Whether this is the first of `what` for `whom` within a day.
pub(super) async fn is_first_of_day(core: &Core, what: &str, whom: &str) -> bool {
    core.shared.incr(&format!("quota:{what}:{whom}"), DAY).await.count == 1
}
