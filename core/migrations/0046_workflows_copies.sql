-- The workflow that a copy was made of, whether it is there still or not: what moderators have hidden stays locked in its
-- copies. Copies from before this migration are found by their graphs alone.
ALTER TABLE workflows ADD COLUMN copied_from uuid;

-- The graphs of workflows that moderators have hidden or deleted: their author cannot publish the same graph in another
-- workflow. No foreign keys: the versions of what is deleted go.
CREATE TABLE workflow_graph_locks (
    holder       uuid NOT NULL,
    content_hash text NOT NULL,
    PRIMARY KEY (holder, content_hash)
);
CREATE INDEX workflow_graph_locks_content_hash_idx ON workflow_graph_locks (content_hash);
