//! Word of a box to those who look at it right now.

use crate::ids::UserId;
use crate::shared::Subscription;
use crate::{Caller, Core, Result};

/// Says to those who look at their box right now that there is something new in it. What is lost is found when the box
/// is read the next time.
pub async fn announce(core: &Core, to: UserId) {
    core.shared.publish(&channel(to), bytes::Bytes::from_static(b"new")).await;
}

/// News about the caller's box from now on.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub fn subscribe(core: &Core, caller: &Caller) -> Result<Subscription> {
    Ok(core.shared.subscribe(&channel(caller.signed_in()?)))
}

fn channel(user: UserId) -> String {
    format!("box:{user}")
}
