//! Bodies of requests that make things. `$names` are from `things`.

pub const COUPON: &str = r#"{"name":"A","benefit":{"kind":"Credits","amount":1},"codeCount":1}"#;
pub const PROMOTION: &str = r#"{"name":"A","kind":"FirstPurchase","percent":10,"isActive":false}"#;
pub const ITEM: &str = r#"{"name":"A","credits":1,"prices":{"KRW":100}}"#;
pub const PLAN_ITEM: &str = r#"{"name":"Basic","kind":"Subscription","plan":"Basic","prices":{"KRW":9900,"USD":990}}"#;
pub const ORDER: &str = r#"{"itemId":"$item","country":"KR","isAgreed":true}"#;
pub const CARD: &str = r#"{"number":"4330123412341234","passwordDigits":"12","identityNumber":"900101","expirationMonth":12,"expirationYear":2030,"name":"Ann","email":null,"isAgreed":true}"#;
pub const APP_INPUT: &str =
    r#"{"1.color":{"order":1,"id":"1","name":"color","nodeName":"EmptyImage","adapter":{"apiFieldName":"color"}}}"#;
