//! The macros that describe the API: utoipa's, or ones that describe nothing (see `openapi.rs`).

#[cfg(feature = "describe")]
pub use utoipa::{IntoParams, OpenApi, ToSchema, path};
#[cfg(not(feature = "describe"))]
pub use verdigraph_undescribed::{IntoParams, OpenApi, ToSchema, path};
