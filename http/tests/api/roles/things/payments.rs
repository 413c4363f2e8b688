//! Payments and saved cards, as targets of operations.

use serde_json::{Value, json};

use super::Things;
use crate::roles::bodies::{ORDER, PLAN_ITEM};
use crate::site::{Browser, text};

impl Things {
    /// The plan of the shop. Only one item at a time offers it.
    pub(super) async fn plan_item(&mut self, admin: &Browser) -> String {
        let shop: Value = self.site.get(admin, "/api/public/item").await.json().await.expect("a shop");
        let mut items = shop["items"].as_array().expect("a list").iter();
        match items.find(|item| item["plan"] == "Basic") {
            Some(item) => text(item, "_id"),
            None => self.made(admin, "/api/admin/item", PLAN_ITEM).await,
        }
    }

    /// The plan that the owner is subscribed to.
    pub(super) async fn own_plan(&mut self, owner: &Browser, admin: &Browser) -> String {
        let item = self.plan_item(admin).await;
        let path = "/api/general/subscription";
        let current: Value = self.site.get(owner, path).await.json().await.expect("a subscription or none");
        if current["subscription"].is_null() {
            self.payment_method(owner).await;
            let wish = json!({ "itemId": item, "country": "KR", "amount": 9_900, "isAgreed": true });
            self.send(owner, path, &wish).await;
        }
        item
    }

    /// A card, an agreement or a payment at the test provider.
    pub(super) async fn test_thing(&mut self, name: &str, owner: &Browser, admin: &Browser) -> String {
        match name {
            "new_test_card" => self.new_test_card().await,
            "new_test_agreement" => self.new_test_agreement(admin).await,
            _ => self.test_payment(owner).await,
        }
    }

    /// The payment of a new order.
    async fn test_payment(&mut self, who: &Browser) -> String {
        let body = Box::pin(self.fill(ORDER, who)).await;
        let order = self.send(who, "/api/general/order", &serde_json::from_str(&body).expect("JSON")).await;
        text(&order, "payAt").trim_start_matches("/test-payment/").to_owned()
    }

    /// A payment method that is begun, and its card at the test provider.
    async fn test_card(&self, who: &Browser) -> (String, String) {
        let begun = self.send(who, "/api/general/payment-method", &json!({ "country": "KR" })).await;
        (text(&begun, "_id"), text(&begun, "page").trim_start_matches("/test-card/").to_owned())
    }

    /// A card at the test provider, of another person each time: an account may begin few.
    async fn new_test_card(&self) -> String {
        let person = self.site.person().await;
        self.test_card(&person).await.1
    }

    /// An agreement at the test provider, of another person each time: an account has one subscription.
    async fn new_test_agreement(&mut self, admin: &Browser) -> String {
        let (item, person) = (self.plan_item(admin).await, self.site.person().await);
        let wish = json!({ "itemId": item, "country": "Other", "amount": 990, "isAgreed": true });
        let made = self.send(&person, "/api/general/subscription", &wish).await;
        text(&made, "payAt").trim_start_matches("/test-agreement/").to_owned()
    }

    /// A saved card beside the default one, which cannot be removed.
    pub(super) async fn removable_method(&mut self, owner: &Browser) -> String {
        Box::pin(self.fill("$payment_method", owner)).await;
        self.payment_method(owner).await
    }

    /// A saved card.
    pub(super) async fn payment_method(&self, who: &Browser) -> String {
        let (id, card) = self.test_card(who).await;
        self.send(who, &format!("/api/public/test-card/{card}/answer"), &json!({ "answer": "Works" })).await;
        self.send(who, &format!("/api/general/payment-method/{id}/complete"), &json!({})).await;
        id
    }
}
