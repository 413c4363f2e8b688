//! Live announcements of new notifications.

use crate::ids::UserId;
use crate::shared::ChannelSubscription;
use crate::{Caller, Core, Result};

/// Tells the user's open pages that the box has changed. A lost message delays them until the box is read again.
pub async fn announce(core: &Core, to: UserId) {
    core.shared.publish(&channel(to), bytes::Bytes::from_static(b"new")).await;
}

/// Announcements of the caller's box from now on.
pub fn subscribe(core: &Core, caller: &Caller) -> Result<ChannelSubscription> {
    Ok(core.shared.subscribe(&channel(caller.signed_in()?)))
}

fn channel(user: UserId) -> String {
    format!("box:{user}")
}
