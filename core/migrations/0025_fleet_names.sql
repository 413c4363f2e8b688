-- A node has a name, and no two that live have the same. (The column is the instance of before: host and data folder, which
-- is the name of a node that was given none.)
DELETE FROM nodes n USING nodes other
WHERE other.instance = n.instance AND (other.heartbeat_at, other.id) > (n.heartbeat_at, n.id);
DROP INDEX nodes_instance_idx;
CREATE UNIQUE INDEX nodes_instance_key ON nodes (instance);
-- A worker's address, to find another one of the same.
CREATE INDEX workers_url_idx ON workers (lower(url));
