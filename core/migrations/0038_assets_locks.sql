-- Bytes that moderators have hidden: nobody sees or publishes them, whatever they are called and whoever has them.

CREATE TABLE content_locks (
    -- As in files; the file itself may be gone.
    content   text        NOT NULL,
    -- The output, upload or workflow that was hidden or deleted. Bytes are free when no holder is left.
    holder    uuid        NOT NULL,
    locked_at timestamptz NOT NULL,
    CONSTRAINT content_locks_pkey PRIMARY KEY (content, holder),
    CONSTRAINT content_locks_content_is_sha256 CHECK (content ~ '^[0-9a-f]{64}$')
);
CREATE INDEX content_locks_holder ON content_locks (holder);

-- What was hidden or deleted by moderators so far. Of workflows, the pictures that nobody else shows.
INSERT INTO content_locks (content, holder, locked_at)
SELECT o.content, o.id, coalesce(o.locked_at, c.decided_at, now())
FROM output_assets o LEFT JOIN moderation_cases c ON c.kind = 2 AND c.target_id = o.id AND c.state = 4
WHERE o.locked_at IS NOT NULL OR c.id IS NOT NULL
ON CONFLICT DO NOTHING;

INSERT INTO content_locks (content, holder, locked_at)
SELECT a.content, w.id, coalesce(w.locked_at, c.decided_at, now())
FROM workflows w LEFT JOIN moderation_cases c ON c.kind = 1 AND c.target_id = w.id AND c.state = 4
JOIN LATERAL (
    SELECT w.cover_asset_id AS id
    UNION SELECT t.asset_id FROM workflow_thumbnails t WHERE t.workflow_id = w.id
) shown ON true
JOIN assets a ON a.id = shown.id
WHERE (w.locked_at IS NOT NULL OR c.id IS NOT NULL)
  AND NOT EXISTS (SELECT FROM assets other WHERE other.content = a.content AND other.user_id <> w.user_id
                  AND NOT other.is_private AND other.deleted_at IS NULL)
  AND NOT EXISTS (SELECT FROM output_assets other WHERE other.content = a.content AND other.user_id <> w.user_id
                  AND NOT other.is_private AND other.deleted_at IS NULL)
ON CONFLICT DO NOTHING;
