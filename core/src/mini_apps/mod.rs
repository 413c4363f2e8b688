//! The room "mini_apps".
