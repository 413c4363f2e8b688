-- What is not safe for work alone is asked for by lists too. It is rare, so that the indexes of all public pictures
-- would be read to their ends for a page of it.
CREATE INDEX output_assets_sensitive_idx ON output_assets (id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND is_nsfw;
CREATE INDEX output_assets_sensitive_likes_idx ON output_assets (like_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND is_nsfw;
CREATE INDEX output_assets_sensitive_views_idx ON output_assets (view_count DESC, id DESC)
    WHERE deleted_at IS NULL AND NOT is_private AND is_nsfw;
