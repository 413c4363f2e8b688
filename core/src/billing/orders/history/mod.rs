//! The history of orders: what was bought, and what was given without a payment, by coupons and by admins.

mod given;
mod line;
mod lists;
mod store;

pub use self::given::{GivenOrder, OrderProvider, PaymentType};
pub use self::line::{HistoryLine, HistoryOrder, OrderFilter};
pub(in crate::billing) use self::lists::newest_of_user;
pub use self::lists::{find_any_in_history, find_in_history, lines, list, own};
