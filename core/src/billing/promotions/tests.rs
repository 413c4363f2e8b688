//! Promotions on a real database: who is offered what, each refusal, and the log.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::*;
use crate::Code;
use crate::testing::TestCore;
use crate::users::factory::user;

fn banner(name: &str, audience: BannerAudience) -> NewPromotion {
    let offer = PromotionOffer::Banner(PromotionBanner {
        audience,
        text_en: format!("{name} is here"),
        text_ko: "행사 중".into(),
        label_en: "See it".into(),
        label_ko: "보기".into(),
        link: "/pricing".into(),
    });
    NewPromotion { name: name.into(), offer, is_active: true, starts_at: None, ends_at: None }
}

fn bonus(percent: i32) -> NewPromotion {
    NewPromotion { offer: PromotionOffer::FirstPurchase { percent }, ..banner("Bonus", BannerAudience::Everyone) }
}

async fn made(core: &Core, new: NewPromotion) -> Promotion {
    create(core, &Caller::system(), new).await.expect("a promotion")
}

async fn switched_off(core: &Core, promotion: &Promotion) {
    let off = PromotionChange { is_active: Some(false), ..PromotionChange::default() };
    change(core, &Caller::system(), promotion.id, off).await.expect("a change");
}

/// The text of the caller's banner, and the percentage of the bonus.
async fn offered(core: &Core, caller: &Caller) -> (Option<String>, Option<i32>) {
    let current = current(core, caller).await.expect("promotions");
    (current.banner.map(|(_, banner)| banner.text_en), current.first_purchase)
}

#[actix::test]
async fn newest_active_banner_of_the_audience_is_offered() {
    let core = TestCore::new().await;
    let (ann, pro) = (user().insert(&core.db).await, user().plan("Pro").insert(&core.db).await);
    let (guest, ann, pro) = (Caller::guest(), Caller::customer(ann), Caller::customer(pro));
    assert_eq!(offered(&core, &guest).await, (None, None));
    made(&core, banner("Spring", BannerAudience::Everyone)).await;
    let upgrade = made(&core, banner("Upgrade", BannerAudience::WithoutPaidPlan)).await;
    let text = |name: &str| Some(format!("{name} is here"));
    for (caller, name) in [(&guest, "Spring"), (&ann, "Upgrade"), (&pro, "Spring")] {
        assert_eq!(offered(&core, caller).await.0, text(name), "{caller:?}");
    }
    let summer = made(&core, banner("Summer", BannerAudience::Everyone)).await;
    for caller in [&guest, &ann, &pro] {
        assert_eq!(offered(&core, caller).await.0, text("Summer"));
    }
    switched_off(&core, &summer).await;
    switched_off(&core, &upgrade).await;
    assert_eq!(offered(&core, &ann).await.0, text("Spring"));
}

#[actix::test]
async fn promotion_is_offered_between_its_dates() {
    let core = TestCore::new().await;
    let (guest, now, day) = (Caller::guest(), core.clock.now(), TimeDelta::days(1));
    made(&core, NewPromotion { starts_at: Some(now + day), ends_at: Some(now + day * 2), ..bonus(20) }).await;
    for expected in [None, Some(20), None] {
        assert_eq!(offered(&core, &guest).await.1, expected, "{}", core.clock.now());
        core.clock.advance(day);
    }
}

#[actix::test]
async fn largest_bonus_is_promised_and_rounded_down() {
    let core = TestCore::new().await;
    let ann = user().insert(&core.db).await;
    let large = made(&core, bonus(33)).await;
    made(&core, bonus(10)).await;
    assert_eq!(offered(&core, &Caller::customer(ann)).await.1, Some(33));
    let promised = async |credits| bonus_for(&core, ann, credits).await.expect("a bonus or none");
    assert_eq!(promised(10).await, Some(PurchaseBonus { promotion: large.id, credits: 3 }));
    assert_eq!(promised(3).await, None, "less than one credit");
    switched_off(&core, &large).await;
    assert_eq!(promised(10).await.map(|bonus| bonus.credits), Some(1));
}

#[actix::test]
async fn invalid_promotions_are_refused_by_field() {
    let core = TestCore::new().await;
    let now = core.clock.now();
    let with = |change: fn(&mut PromotionBanner)| {
        let mut new = banner("Spring", BannerAudience::Everyone);
        if let PromotionOffer::Banner(banner) = &mut new.offer {
            change(banner);
        }
        new
    };
    let mut table = vec![
        ("name", NewPromotion { name: " ".into(), ..bonus(10) }),
        ("percent", bonus(0)),
        ("percent", bonus(101)),
        ("endsAt", NewPromotion { ends_at: Some(now), ..bonus(10) }),
        ("endsAt", NewPromotion { starts_at: Some(now), ends_at: Some(now), ..bonus(10) }),
        ("textEn", with(|banner| banner.text_en = " ".into())),
        ("textKo", with(|banner| banner.text_ko = "가".repeat(161))),
        ("labelEn", with(|banner| banner.label_en = "a".repeat(41))),
        ("labelKo", with(|banner| banner.label_ko = "a\nb".into())),
    ];
    let links: [fn(&mut PromotionBanner); 5] = [
        |banner| banner.link = "https://example.com".into(),
        |banner| banner.link = "//example.com".into(),
        |banner| banner.link = "/\\example.com".into(),
        |banner| banner.link = "/a b".into(),
        |banner| banner.link = format!("/{}", "a".repeat(200)),
    ];
    table.extend(links.into_iter().map(|change| ("link", with(change))));
    for (expected, new) in table {
        let shown = format!("{new:?}");
        let refused = create(&core, &Caller::system(), new).await;
        assert!(matches!(&refused, Err(Error::Invalid { field, .. }) if field == expected), "{shown}: {refused:?}");
    }
    assert_eq!(core.database.count("SELECT count(*) FROM promotions").await, 0);
}

#[actix::test]
async fn promotions_are_created_changed_and_logged_by_admins() {
    let core = TestCore::new().await;
    let (ann, admin) = (user().insert(&core.db).await, user().admin().insert(&core.db).await);
    let admin = Caller { admin: true, ..Caller::customer(admin) };
    for (caller, expected) in [(Caller::guest(), Code::AuthLoginRequired), (Caller::customer(ann), Code::Forbidden)] {
        let refused = [
            create(&core, &caller, bonus(10)).await.err(),
            change(&core, &caller, PromotionId::new(), PromotionChange::default()).await.err(),
            list(&core, &caller, ListQuery::at((), None, 10)).await.err(),
        ];
        for error in refused {
            assert_eq!(error.expect("a refusal").code(), expected);
        }
    }
    let promotion = create(&core, &admin, bonus(10)).await.expect("a promotion");
    let larger = PromotionChange {
        name: Some("Larger".into()),
        offer: Some(PromotionOffer::FirstPurchase { percent: 20 }),
        ..PromotionChange::default()
    };
    for _ in 0..2 {
        let changed = change(&core, &admin, promotion.id, larger.clone()).await.expect("a change");
        assert_eq!((changed.name.as_str(), changed.is_active), ("Larger", true));
    }
    let offer = Some(banner("Spring", BannerAudience::Everyone).offer);
    let other = change(&core, &admin, promotion.id, PromotionChange { offer, ..PromotionChange::default() }).await;
    assert!(matches!(&other, Err(Error::Invalid { field, .. }) if field == "kind"), "{other:?}");
    let lines: Vec<(String, Option<Value>, Value)> =
        sqlx::query_as("SELECT action, before, after FROM audit_entries WHERE target_id = $1 ORDER BY id")
            .bind(promotion.id.0)
            .fetch_all(&core.db)
            .await
            .expect("the log");
    let [(created, _, new), (changed, Some(before), after)] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((created.as_str(), changed.as_str()), ("promotion.create", "promotion.change"));
    assert_eq!((&new["kind"], &new["percent"]), (&json!("FirstPurchase"), &json!(10)));
    assert_eq!(before, &json!({ "name": "Bonus", "percent": 10 }));
    assert_eq!(after, &json!({ "name": "Larger", "percent": 20 }));
    let page = list(&core, &admin, ListQuery::at((), None, 10)).await.expect("a page");
    assert_eq!(page.items.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["Larger"]);
}
