//! The order of the shop, on a real database.

use super::*;
use crate::testing::TestCore;

#[actix::test]
async fn plans_are_offered_before_packs_and_both_from_the_smallest_to_the_largest() {
    let core = TestCore::new().await;
    let new = async |name: &str, product: Product| {
        let prices = Prices { krw: Some(9_900), usd: None };
        let new = NewShopItem { name: name.into(), product, prices, is_active: true };
        create(&core, &Caller::system(), new).await.expect("an item");
    };
    for credits in [50_000, 10_000, 25_000] {
        new(&credits.to_string(), Product::Credit(credits)).await;
    }
    for plan in ["Pro", "Basic", "Advanced", "Standard"] {
        new(plan, Product::Subscription(plan.into())).await;
    }
    let names: Vec<String> = offered(&core).await.expect("items").into_iter().map(|item| item.name).collect();
    assert_eq!(names, ["Basic", "Standard", "Advanced", "Pro", "10000", "25000", "50000"]);
}
