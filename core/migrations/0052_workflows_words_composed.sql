-- Names have one spelling for what looks the same (NFC), and the words of all that has another one are found again.
UPDATE workflows SET name = normalize(name, NFC), search = NULL, search_name = NULL
WHERE name IS NOT NFC NORMALIZED AND deleted_at IS NULL;
UPDATE workflows SET search = NULL, search_name = NULL
WHERE deleted_at IS NULL AND (description IS NOT NFC NORMALIZED OR translations::text IS NOT NFC NORMALIZED);
UPDATE workflow_tags t SET name_ko = normalize(t.name_ko, NFC) WHERE t.name_ko IS NOT NFC NORMALIZED;
