-- Five messages. One of them was written before others and became visible after them, in a transaction that took long.
INSERT INTO messages
SELECT n, 1 + n % 2, ('8e1f0f8e-7c0c-4a57-8f0e-0d6d2b9b000' || 1 + n % 2)::uuid, sent_at, 'Message ' || n, NULL, sent_at
  FROM generate_series(341, 344) n, LATERAL (SELECT timestamp '2026-05-04 18:00' + n * interval '1 second' AS sent_at) AS clock;
INSERT INTO messages
VALUES (345, 1, '8e1f0f8e-7c0c-4a57-8f0e-0d6d2b9b0002', '2026-05-04 15:09', 'Late', NULL, '2026-05-04 15:09');
