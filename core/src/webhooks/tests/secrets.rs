//! Which secrets sign a message.

use super::*;

#[actix::test]
async fn each_of_several_replaced_secrets_signs_until_its_own_end() {
    let core = stage(&[1]).await;
    let ann = person(&core).await;
    let receiver = Receiver::well().await;
    let (id, first) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    let mut secrets = vec![first];
    // Which of the secrets sign the next message.
    let signing = async |secrets: &[String], number: usize| -> Vec<bool> {
        test(&core, &ann, id).await.expect("a test");
        let messages = receiver.until(number).await;
        secrets.iter().map(|secret| verify(&messages[number - 1], secret).is_ok()).collect()
    };
    for _ in 0..2 {
        secrets.push(new_secret(&core, &ann, id).await.expect("a secret").secret);
    }
    assert_eq!(signing(&secrets, 1).await, [true; 3], "a secret was replaced twice and signs no more");

    sqlx::query("UPDATE webhook_configs SET older_until = ARRAY[now() - interval '1 second']")
        .execute(&core.db)
        .await
        .expect("a day that is over");
    assert_eq!(signing(&secrets, 2).await, [false, true, true]);

    for _ in 0..6 {
        secrets.push(new_secret(&core, &ann, id).await.expect("a secret").secret);
    }
    let last_six = [false, false, false, true, true, true, true, true, true];
    assert_eq!(signing(&secrets, 3).await, last_six, "the new secret and five replaced ones sign");
}
