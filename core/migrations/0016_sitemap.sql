-- A page that everybody may see and that is safe for work, with when it was last changed: what search engines are told.
CREATE VIEW public_pages (kind, id, at) AS
SELECT 'workflows', w.id, w.edited_at FROM workflows w
WHERE w.deleted_at IS NULL AND NOT w.is_private AND NOT w.is_nsfw
UNION ALL
SELECT 'pictures', o.id, o.created_at FROM output_assets o
WHERE o.deleted_at IS NULL AND NOT o.is_private AND NOT o.is_nsfw
UNION ALL
SELECT 'apps', a.id, greatest(a.updated_at, w.edited_at) FROM workflow_apis a JOIN workflows w ON w.id = a.workflow_id
WHERE a.deleted_at IS NULL AND w.deleted_at IS NULL AND NOT w.is_private AND NOT w.is_nsfw
UNION ALL
-- Whoever has published nothing has a page with nothing on it.
SELECT 'people', u.id, u.created_at FROM users u
WHERE u.deleted_at IS NULL AND u.disabled_at IS NULL AND (
  EXISTS (SELECT FROM workflows w
          WHERE w.user_id = u.id AND w.deleted_at IS NULL AND NOT w.is_private AND NOT w.is_nsfw)
  OR EXISTS (SELECT FROM output_assets o
             WHERE o.user_id = u.id AND o.deleted_at IS NULL AND NOT o.is_private AND NOT o.is_nsfw));
