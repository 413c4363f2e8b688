-- Outputs are kept clean of the prompt and the graph that workers write into them; what was taken out is kept apart.

ALTER TABLE output_assets
    -- Nothing is in it but what it shows or plays.
    ADD COLUMN is_clean boolean NOT NULL DEFAULT false,
    -- As in files.
    ADD COLUMN clean_tries smallint NOT NULL DEFAULT 0,
    -- The name of what was taken out of it, where anything was.
    ADD COLUMN embedded text;
CREATE INDEX output_assets_unclean_idx ON output_assets (id DESC)
    WHERE NOT is_clean AND deleted_at IS NULL AND kind <> 'File' AND clean_tries < 6;

-- What people keep at hand for the next run is theirs alone, until something that they publish uses it. The page said
-- otherwise for everything that was uploaded, so that what nothing published uses is taken back.
ALTER TABLE input_assets ALTER COLUMN is_private SET DEFAULT true;
WITH written AS (
    -- Pictures that texts show, by their addresses.
    SELECT (regexp_matches(content, '/media/[a-z0-9]+/([0-9a-f]{64})', 'g'))[1] AS content FROM comments WHERE deleted_at IS NULL
    UNION
    SELECT (regexp_matches(description, '/media/[a-z0-9]+/([0-9a-f]{64})', 'g'))[1] FROM workflows
    WHERE deleted_at IS NULL AND NOT is_private
    UNION
    SELECT (regexp_matches(content_en || content_ko, '/media/[a-z0-9]+/([0-9a-f]{64})', 'g'))[1] FROM notices
    WHERE deleted_at IS NULL
), used AS (
    SELECT profile_asset_id AS id FROM users WHERE profile_asset_id IS NOT NULL
    UNION SELECT poster_asset_id FROM community_videos WHERE poster_asset_id IS NOT NULL
    UNION SELECT cover_asset_id FROM workflows
          WHERE cover_asset_id IS NOT NULL AND deleted_at IS NULL AND NOT is_private
    UNION SELECT t.asset_id FROM workflow_thumbnails t JOIN workflows w ON w.id = t.workflow_id
          WHERE w.deleted_at IS NULL AND NOT w.is_private
    UNION SELECT a.id FROM assets a JOIN written ON written.content = a.content
)
UPDATE assets SET is_private = true WHERE NOT is_private AND id NOT IN (SELECT id FROM used);
UPDATE input_assets i SET is_private = true FROM assets a WHERE a.id = i.asset_id AND a.is_private AND NOT i.is_private;
