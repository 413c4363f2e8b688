//! Price classes: a run at the pool's price in its turn, or cheaper when workers have nothing else to do; and deadlines.
//!
//! ```text
//!   standard ──▶ lane interactive or API ─────────────────────────────▶ a worker
//!   flex ──▶ lane flex ──▶ an idle worker                                  ▲
//!                 └── latest start is near, or it has waited for long ── promoted
//! ```
//!
//! A promoted job keeps its price. It is in the lane of its submit from then on, with turns of its own, so that it waits
//! neither behind its account's other jobs nor before those of other accounts ([`crate::jobs::queue::tags`]).

pub(in crate::jobs) mod class;
mod deadline;
pub(in crate::jobs) mod promotion;
mod store;
#[cfg(test)]
mod tests;
pub(in crate::jobs) mod timing;
