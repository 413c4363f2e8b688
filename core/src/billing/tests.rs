//! Purchases through each provider, on a real database, against test servers.

mod bonus;
mod cards;
mod discounts;
mod forgotten_keys;
mod history;
mod paypal;
mod receipts;
mod secrets;
mod toss;

use chrono::TimeDelta;
use serde_json::json;
use uuid::Uuid;

use super::ShopItem;
use super::money::BillingCountry;
use super::orders::tests::{
    answered, available, books, bought, completed, is_clean, new_item, orders_of, reference, shop, why,
};
use super::orders::{
    Order, OrderFailure, OrderStatus, Purchase, buy, cancel, find_any, find_own, follow_due, note_notice, placing,
    refund, refund_own,
};
use super::providers::{ProviderName, TestAnswer};
use crate::ids::UserId;
use crate::list::ListQuery;
use crate::testing::TestCore;
use crate::users::factory::user;
use crate::{Caller, Core, Error, Result};
