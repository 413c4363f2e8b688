//! Counts over the other rooms, read-only.

mod profile_counts;
mod store;

pub use profile_counts::ProfileCounts;

use crate::ids::UserId;
use crate::{Core, Result};

pub async fn of_profile(core: &Core, user: UserId) -> Result<ProfileCounts> {
    Ok(store::of_profile(&core.db, user).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestCore;
    use crate::users::factory::user;
    use crate::{Caller, gallery};

    #[actix::test]
    async fn profile_counts_public_posts_and_their_likes() {
        let core = TestCore::new().await;
        let (owner, fan) = (user().insert(&core.db).await, user().insert(&core.db).await);
        assert_eq!(of_profile(&core, owner).await.expect("counts"), ProfileCounts::default());
        let new: Vec<_> = (0..3).map(|_| gallery::factory::output(owner, core.clock.now())).collect();
        gallery::factory::insert(&core.db, &new).await;
        let shown = [new[0].id, new[1].id];
        gallery::set_private(&core, &Caller::customer(owner), &shown, false).await.expect("a publication");
        gallery::set_nsfw(&core, &Caller::system(), &shown[1..], true).await.expect("a mark");
        gallery::toggle_like(&core, &Caller::customer(fan), new[0].id).await.expect("a like");
        let counts = of_profile(&core, owner).await.expect("counts");
        assert_eq!(counts, ProfileCounts { workflows: 0, images: 2, likes: 1 });
        gallery::delete(&core, &Caller::customer(owner), &shown[..1]).await.expect("a deletion");
        assert_eq!(of_profile(&core, owner).await.expect("counts").images, 1);
    }
}
