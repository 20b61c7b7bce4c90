--
-- PostgreSQL database dump
--

SET client_encoding = 'UTF8';

COPY public.message_reactions (message_id, user_id, emoji) FROM stdin;
9007199254740993	2	+1
9007199254740993	3	+1
9007199254740996	1	tada
\.

COPY public.messages (id, room_id, room_seq, author, sent_at, edited_at, body, thread_root, deleted, attachment) FROM stdin;
9007199254740993	1	1	ann	2024-03-30 09:15:02.123456	\N	Welcome, everybody!	\N	f	\N
9007199254740994	1	2	ben	2024-03-30 09:16:40	2024-03-30 09:17:00	First line\nand a second\twith a tab	9007199254740993	f	\N
9007199254740995	1	3	cem	2024-03-31 01:59:59	\N	Before the clocks change	\N	t	\N
9007199254740996	2	1	ben	2024-03-31 03:00:00	\N	The plan of the house	\N	f	{"url": "https://files.acme.example/plan.pdf", "name": "plan.pdf", "bytes": 20480, "mime": "application/pdf"}
9007199254740997	2	2	zoe	2024-03-31 03:05:00	\N	I left long ago	\N	f	\N
\.

COPY public.room_members (room_id, user_id, role) FROM stdin;
1	1	owner
1	2	member
1	3	member
2	1	member
2	2	member
\.

COPY public.rooms (id, slug, kind, title, is_archived) FROM stdin;
1	general	open	General	f
2	ann-and-ben	dm	\N	f
\.

COPY public.users (id, login, first_name, last_name, email, password_hash, avatar_url, deleted_at) FROM stdin;
1	ann	Ann	Ames	ann@acme.example	x	https://acme.example/ann.png	\N
2	ben	Ben	\N	ben@acme.example	x	\N	\N
3	cem	Cem	Can	cem@acme.example	x	\N	2024-04-01 00:00:00
\.

--
-- PostgreSQL database dump complete
--
