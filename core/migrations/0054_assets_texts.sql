-- Uploads that texts show: the descriptions of workflows, comments and notices. A picture is kept for as long as a text
-- names it, drafts too, and where nothing else shows it, everybody sees it for as long as everybody may read the text.

CREATE TABLE text_pictures (
    -- The workflow, comment or notice.
    text_id     uuid    NOT NULL,
    asset_id    uuid    NOT NULL,
    -- Everybody may read the text.
    is_shown    boolean NOT NULL,
    -- Everybody sees the picture because of the text, and no longer.
    is_revealed boolean NOT NULL DEFAULT false,
    CONSTRAINT text_pictures_pkey PRIMARY KEY (text_id, asset_id),
    CONSTRAINT text_pictures_asset_fkey FOREIGN KEY (asset_id) REFERENCES assets ON DELETE CASCADE
);
CREATE INDEX text_pictures_asset_idx ON text_pictures (asset_id);

-- Pictures of texts that are there already were public from when they were inserted, and stay so.
INSERT INTO text_pictures (text_id, asset_id, is_shown)
SELECT DISTINCT text.id, a.id, text.is_shown
FROM (
    SELECT id, user_id, description || translations::text AS html, NOT is_private AS is_shown
    FROM workflows WHERE deleted_at IS NULL
    UNION ALL SELECT id, user_id, content, hidden_at IS NULL FROM comments WHERE deleted_at IS NULL
    UNION ALL SELECT id, created_by, content_en || content_ko, true FROM notices WHERE deleted_at IS NULL
) text
CROSS JOIN LATERAL regexp_matches(text.html, '/media/[a-z0-9]+/([0-9a-f]{64})[.]', 'g') AS named (content)
LEFT JOIN file_moves moved ON moved.old_content = named.content[1]
JOIN assets a ON a.user_id = text.user_id AND a.deleted_at IS NULL AND a.expires_at IS NULL
    AND a.content = coalesce(moved.new_content, named.content[1]);
