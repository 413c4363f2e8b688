//! What users buy and are given: plans by the month, packs of credits and the cards that pay for them, credits, days of
//! plans and lower prices for the codes of coupons, and promotions; and the warning before credits expire.

mod coupons;
mod expiry_warnings;
mod items;
mod methods;
mod money;
mod notices;
mod orders;
mod person_money;
mod promotions;
mod providers;
mod revenue;
mod subscriptions;
#[cfg(test)]
mod tests;
mod text;

pub use coupons::{
    Coupon, CouponBenefit, CouponChange, CouponCode, CouponFilter, CouponRedemption, CouponUse, NewCodes, NewCoupon,
    OrderDiscount,
};
pub use coupons::{
    change as change_coupon, codes as coupon_codes, create as create_coupon, list as list_coupons,
    own_uses as own_coupon_uses, redeem as redeem_coupon, uses as coupon_uses,
};
pub use expiry_warnings::{WARNED_AT_ONCE, warn_of_expiring_credits};
pub use items::{NewShopItem, Prices, Product, ProductKind, ShopItem, ShopItemChange};
pub use items::{change as change_item, create as create_item, list as list_items, offered as offered_items};
pub use methods::{FORGOTTEN_AT_ONCE, PaymentMethod, PaymentMethodState, PaymentMethodWindow};
pub use methods::{
    begin as begin_payment_method, complete as complete_payment_method, forget as forget_payment_methods,
    forget_due as forget_billing_keys, has_card_form, list as list_payment_methods,
    make_default as make_default_payment_method, own_ever as own_saved_cards, remove as remove_payment_method,
    save_card,
};
pub use money::{BillingCountry, Currency, Money};
pub use notices::{take_paypal_notice, take_toss_notice};
pub use orders::{
    FOLLOWED_AT_ONCE, GivenOrder, HistoryLine, HistoryOrder, Order, OrderFailure, OrderFilter, OrderProvider,
    OrderRefund, OrderStatus, OrderWithRefunds, PaymentNotifier, PaymentType, PlanPeriod, Purchase, PurchaseQuote,
    RefundStatus, order_of_source,
};
pub use orders::{
    answer_test_payment, audit as audit_orders, buy, cancel as cancel_order, cancel_open_of as cancel_open_orders_of,
    complete as complete_order, credits_left as order_credits_left, find_any_in_history as find_order_of_anyone,
    find_in_history as find_order, lines as order_lines, list as list_orders, own as own_orders,
    quote as quote_purchase, refund as refund_order, refund_own as refund_own_order,
};
pub use person_money::{PersonMoney, of_person as money_of_person, take_back as take_back_credits};
pub use promotions::{
    BannerAudience, CurrentPromotions, NewPromotion, Promotion, PromotionBanner, PromotionChange, PromotionKind,
    PromotionOffer, PurchaseBonus,
};
pub use promotions::{
    change as change_promotion, create as create_promotion, current as current_promotions, list as list_promotions,
};
pub use providers::{
    CardForm, CardWindow, DeclineReason, PayPalSignature, PaymentClients, ProviderName, TossWindow, can_buy_in,
};
pub use providers::{TestAgreement, TestAgreementAnswer, TestAgreementState};
pub use providers::{TestAnswer, TestCard, TestCardAnswer, TestCardState, TestPayment, TestPaymentState};
pub use providers::{answer_test_card, find_test_agreement, find_test_card, find_test_payment};
pub use revenue::{Revenue, RevenueRow, of_periods as revenue_of_periods};
pub use subscriptions::{
    ChangeTime, ChargeDay, ChargeSum, EndReason, PaidWith, PlanChange, RENEWED_AT_ONCE, Subscription,
    SubscriptionDetails, SubscriptionFilter, SubscriptionStatus,
};
pub use subscriptions::{
    answer_test_agreement, calendar as subscription_calendar, cancel as cancel_subscription, change_plan,
    complete as complete_subscription, current as current_subscription, end as end_subscription,
    list as list_subscriptions, own_ever as own_subscriptions, quote_change as quote_plan_change,
    renew_due as renew_subscriptions, resume as resume_subscription, retry as retry_subscription,
    stop_charges_of as stop_agreed_charges_of, subscribe,
};

use crate::{Core, Result};

/// Follows due payments, agreements and refunds, and gives up payment methods that were not finished; returns their number.
///
/// # Errors
/// If the due ones cannot be read.
pub async fn maintain_payments(core: &Core) -> Result<u64> {
    let agreements = subscriptions::follow_agreements(core).await?;
    Ok(agreements + orders::follow_due(core).await? + methods::expire(core).await?)
}
