-- Names have one spelling for what looks the same (NFC), so that they are found however they are typed. A name that somebody
-- else has with the same number already stays as it is.
UPDATE users u SET name = normalize(u.name, NFC)
WHERE u.name IS NOT NFC NORMALIZED
  AND NOT EXISTS (SELECT FROM users other WHERE other.name = normalize(u.name, NFC) AND other.name_tag = u.name_tag)
  AND (SELECT count(*) FROM users twin
       WHERE twin.name IS NOT NFC NORMALIZED AND normalize(twin.name, NFC) = normalize(u.name, NFC)
         AND twin.name_tag = u.name_tag) = 1;
