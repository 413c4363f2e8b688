//! The OpenAPI document. The server sends `http/openapi.json`, and the web client's types are generated from it.
//!
//! The feature `describe` generates the document from handlers and views (`make openapi`); a test compares it with the
//! file. A server is built without it: utoipa and its macros are a large part of this crate's build time.

#[cfg(feature = "describe")]
mod document;
#[cfg(feature = "describe")]
mod error_responses;

use serde_json::Value;
#[cfg(feature = "describe")]
pub use utoipa::{IntoParams, OpenApi, ToSchema, path};
#[cfg(not(feature = "describe"))]
pub use verdigraph_openapi_noop::{IntoParams, OpenApi, ToSchema, path};

#[cfg(feature = "describe")]
pub use document::areas;

/// The document, parsed.
#[must_use]
pub fn value() -> Value {
    serde_json::from_str(&json()).unwrap_or_default()
}

/// The document, generated.
#[cfg(feature = "describe")]
#[must_use]
pub fn json() -> String {
    format!("{:#}\n", serde_json::to_value(document::generate()).unwrap_or_default())
}

/// The document from the committed file.
#[cfg(not(feature = "describe"))]
#[must_use]
pub fn json() -> String {
    include_str!("../openapi.json").to_owned()
}
