//! What a purchase costs and gives: the price, the discount of a code, and the bonus.

use super::order::Order;
use crate::billing::coupons::{DiscountCode, OrderDiscount};
use crate::billing::items::{self, ShopItem};
use crate::billing::money::{BillingCountry, Money};
use crate::billing::promotions::{self, PurchaseBonus};
use crate::billing::providers::{self, ProviderName};
use crate::ids::{ShopItemId, UserId};
use crate::users::RequestOrigin;
use crate::{Caller, Code, Core, Error, Result};

/// A pack of credits that a caller wants to buy.
#[derive(Debug, Clone)]
pub struct Purchase {
    pub item: ShopItemId,
    pub country: BillingCountry,
    /// Of a coupon that lowers the price.
    pub code: Option<String>,
    /// The price that the caller has seen; `None`: any price.
    pub shown: Option<i64>,
    /// Tries of codes are limited for it.
    pub origin: RequestOrigin,
}

impl Purchase {
    /// Without a code, for any price.
    #[must_use]
    pub fn of(item: ShopItemId, country: BillingCountry) -> Self {
        Self { item, country, code: None, shown: None, origin: RequestOrigin::default() }
    }
}

/// What a purchase costs and gives now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseQuote {
    pub price: Money,
    pub discount: Option<OrderDiscount>,
    pub credits: i64,
    pub bonus_credits: i64,
}

/// What the caller's purchase costs and gives now. Nothing is reserved.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] for an item that is not offered; a conflict `BUYING_NOT_SET_UP` if it
/// cannot be bought in the country's currency; for a code as `DiscountCode::find`.
pub async fn quote(core: &Core, caller: &Caller, purchase: &Purchase) -> Result<PurchaseQuote> {
    let user = caller.signed_in()?;
    let OfferedPurchase { item, price, bonus, code, .. } = OfferedPurchase::find(core, user, purchase).await?;
    Ok(PurchaseQuote {
        price: discounted(price, code.as_ref()),
        discount: code.map(|code| discount_of(price, code)),
        credits: item.product.credits().unwrap_or(0),
        bonus_credits: bonus.map_or(0, |bonus| bonus.credits),
    })
}

/// A purchase that can be made now.
pub(super) struct OfferedPurchase {
    item: ShopItem,
    pub provider: ProviderName,
    /// Before the discount.
    price: Money,
    bonus: Option<PurchaseBonus>,
    pub code: Option<DiscountCode>,
}

impl OfferedPurchase {
    /// # Errors
    /// As [`quote`].
    pub async fn find(core: &Core, user: UserId, purchase: &Purchase) -> Result<Self> {
        let item = items::find_offered(core, purchase.item).await?;
        let Some(credits) = item.product.credits() else {
            // Plans are subscribed to.
            return Err(items::UNKNOWN);
        };
        let currency = purchase.country.currency();
        let (Some(provider), Some(price)) =
            (providers::provider_for(core, currency), item.prices.in_currency(currency))
        else {
            let message = format!("this cannot be bought in {} here", currency.name());
            return Err(Error::conflict(Code::BuyingNotSetUp, message));
        };
        let code = match &purchase.code {
            Some(text) => Some(DiscountCode::find(core, user, &purchase.origin, text).await?),
            None => None,
        };
        let bonus = promotions::bonus_for(core, user, credits).await?;
        Ok(Self { item, provider, price, bonus, code })
    }

    /// What is charged.
    pub fn charge(&self) -> Money {
        discounted(self.price, self.code.as_ref())
    }

    /// The order, which is not paid. The use of its code is not reserved.
    pub fn order(&self, core: &Core, user: UserId) -> Order {
        let discount = self.code.as_ref().map(|code| discount_of(self.price, code.clone()));
        let order = Order::new(user, &self.item, self.charge(), self.provider, core.clock.now());
        Order { discount, bonus: self.bonus, ..order }
    }
}

fn discounted(price: Money, code: Option<&DiscountCode>) -> Money {
    code.map_or(price, |code| price.less_percent(code.percent))
}

fn discount_of(price: Money, code: DiscountCode) -> OrderDiscount {
    let DiscountCode { percent, coupon, code, .. } = code;
    OrderDiscount { list_amount: price.amount, percent, coupon, code }
}
