-- Forms take films and sounds as well as pictures. Apps with a field for one were saved without it, and are looked at again.
ALTER TABLE workflows DROP CONSTRAINT workflows_app_takes_check;
ALTER TABLE workflows ADD CONSTRAINT workflows_app_takes_check CHECK (app_takes <@ '{image, video, audio, text}');
UPDATE workflows SET app_takes = NULL, app_makes = NULL
WHERE id IN (SELECT a.workflow_id FROM workflow_apis a JOIN workflow_api_versions v ON v.id = a.current_version_id
             WHERE v.fields::text ~ '"widget": ?"(video|audio)"');
