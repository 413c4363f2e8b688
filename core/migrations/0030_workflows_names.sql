-- What is called so comes first in a search: it is found without looking at all that only speaks of it.
CREATE INDEX workflows_search_name ON workflows USING gin (search_name) WHERE deleted_at IS NULL AND NOT is_private;
