//! Versions of mini apps, as targets of operations.

use super::Things;

impl Things {
    /// The current version of the app of this name.
    pub(super) async fn version_of(&mut self, app: &str) -> String {
        let owner = self.owner.clone();
        let app: uuid::Uuid = Box::pin(self.fill(&format!("${app}"), &owner)).await.parse().expect("an id");
        let query = sqlx::query_scalar("SELECT current_version_id FROM workflow_apis WHERE id = $1").bind(app);
        let version: uuid::Uuid = query.fetch_one(&self.site.core.db).await.expect("an app");
        version.to_string()
    }
}
