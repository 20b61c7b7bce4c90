-- The last message before people can write in the new application alone.
INSERT INTO messages
VALUES (346, 2, '8e1f0f8e-7c0c-4a57-8f0e-0d6d2b9b0001', '2026-05-04 19:00', 'See you there', NULL, '2026-05-04 19:00');
