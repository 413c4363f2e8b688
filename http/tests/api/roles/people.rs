//! Users of the matrix.

use serde_json::Value;
use verdigraph_core::{Caller, users};

use crate::site::{Browser, Site, text};

pub async fn id_of(site: &Site, who: &Browser) -> String {
    text(&site.get(who, "/api/auth").await.json::<Value>().await.expect("a user"), "_id")
}

/// A user who may publish and comment although the installation sends mail.
pub async fn proven(site: &Site, who: Browser) -> Browser {
    users::confirm(&site.core, &Caller::system(), &who.email).await.expect("a confirmed address");
    who
}
