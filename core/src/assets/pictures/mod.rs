//! Pictures from outside: decoded within limits, measured, cleaned and made smaller, in a process of its own where that
//! takes much.

pub(in crate::assets) mod apart;
mod frames;
mod mask;
pub(in crate::assets) mod perform;
pub(in crate::assets) mod picture;
