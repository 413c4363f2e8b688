//! The API's description. `http/openapi.json` is what is served, and from it the web client's types are made; with the
//! feature `describe` it is made anew from the handlers and views (`make openapi`), and a test compares the two.

#[cfg(feature = "describe")]
mod answers;
#[cfg(feature = "describe")]
mod made;

use serde_json::Value;

#[cfg(feature = "describe")]
pub use made::areas;

/// The description as a value.
#[must_use]
pub fn value() -> Value {
    serde_json::from_str(&json()).unwrap_or_default()
}

/// The description as it was made.
#[cfg(feature = "describe")]
#[must_use]
pub fn json() -> String {
    format!("{:#}\n", serde_json::to_value(made::description()).unwrap_or_default())
}

/// The description as the committed file has it.
#[cfg(not(feature = "describe"))]
#[must_use]
pub fn json() -> String {
    include_str!("../openapi.json").to_owned()
}
