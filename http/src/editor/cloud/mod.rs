//! Calls of Comfy Cloud that ComfyUI's server does not have, below `/comfyui-editor/api` alone. What differs in calls
//! that both have is with those calls.
//!
//! ```text
//!   assets ────▶ uploads by bytes or hash, and files by id ──▶ asset_view
//!   library ───▶ lists of files and of their tags ──▶ asset_view
//!   workflows ─▶ saved workflows of the caller
//!   billing ───▶ credits and plan, in amounts that clients convert to credits
//! ```

mod asset_view;
mod assets;
mod billing;
mod library;
mod workflows;

use actix_web::web::ServiceConfig;

pub fn configure(config: &mut ServiceConfig) {
    // Lists before single assets: `tags` is no id.
    config
        .configure(library::configure)
        .configure(assets::configure)
        .configure(workflows::configure)
        .configure(billing::configure);
}
