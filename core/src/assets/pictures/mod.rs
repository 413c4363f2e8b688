//! Pictures from outside: decoded within limits, measured, cleaned and made smaller, in a process of its own where that
//! takes much.

pub(in crate::assets) mod apart;
mod frames;
pub(in crate::assets) mod picture;
