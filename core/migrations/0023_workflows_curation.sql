-- What admins put in order by hand: tags, and the basic workflows.

-- The place of a tag among those of the same parent.
ALTER TABLE workflow_tags ADD COLUMN position integer NOT NULL DEFAULT 0;
UPDATE workflow_tags t SET position = placed.place
FROM (
    SELECT id, row_number() OVER (PARTITION BY parent_id ORDER BY created_at, id) AS place FROM workflow_tags
) placed
WHERE placed.id = t.id;

-- Who has a tag.
CREATE INDEX workflow_tag_links_of_tag ON workflow_tag_links (tag_id);

-- The largest comes first. A new one gets its time in microseconds, and so the first place.
ALTER TABLE workflows ADD COLUMN basic_rank bigint;
UPDATE workflows SET basic_rank = (extract(epoch FROM basic_at) * 1000000)::bigint WHERE basic_at IS NOT NULL;
CREATE INDEX workflows_basic_by_rank ON workflows (basic_rank DESC, id DESC)
    WHERE deleted_at IS NULL AND basic_at IS NOT NULL;
DROP INDEX workflows_basic;
