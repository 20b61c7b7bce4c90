-- Forty messages, an edit, a deletion that the application marks, and one that it does not.
INSERT INTO messages
SELECT n, 1 + n % 2, ('8e1f0f8e-7c0c-4a57-8f0e-0d6d2b9b000' || 1 + n % 2)::uuid, sent_at, 'Message ' || n, NULL, sent_at
  FROM generate_series(301, 340) n, LATERAL (SELECT timestamp '2026-05-04 15:00' + n * interval '1 second' AS sent_at) AS clock;
UPDATE messages SET body = 'Message 7, edited', updated_at = '2026-05-04 15:10' WHERE id = 7;
UPDATE messages SET deleted_at = '2026-05-04 15:11', updated_at = '2026-05-04 15:11' WHERE id = 8;
DELETE FROM messages WHERE id = 9;
