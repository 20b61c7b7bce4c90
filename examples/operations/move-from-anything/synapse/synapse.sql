--
-- PostgreSQL database dump
--

SET client_encoding = 'UTF8';

COPY public.current_state_events (event_id, room_id, type, state_key, membership, event_stream_ordering) FROM stdin;
$g1	!general:acme.example	m.room.create		\N	1
$g2	!general:acme.example	m.room.member	@ann:acme.example	join	2
$g3	!general:acme.example	m.room.member	@ben:acme.example	join	3
$g4	!general:acme.example	m.room.member	@zoe:other.example	join	4
$g5	!general:acme.example	m.room.member	@helper:acme.example	join	5
$g6	!general:acme.example	m.room.member	@dee:acme.example	invite	6
$g7	!general:acme.example	m.room.member	@cem:acme.example	ban	7
$g8	!general:acme.example	m.room.power_levels		\N	8
$g9	!general:acme.example	m.room.join_rules		\N	9
$p1	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	m.room.create		\N	10
$p2	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	m.room.member	@ann:acme.example	join	11
$p3	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	m.room.member	@ben:acme.example	join	12
$p4	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	m.room.member	@helper:acme.example	join	13
$p5	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	m.room.power_levels		\N	14
$d1	!annben:acme.example	m.room.create		\N	15
$d2	!annben:acme.example	m.room.member	@ann:acme.example	join	16
$d4	!annben:acme.example	m.room.member	@ben:acme.example	join	18
$d5	!annben:acme.example	m.room.power_levels		\N	19
$o1	!old:acme.example	m.room.create		\N	20
$o2	!old:acme.example	m.room.member	@ann:acme.example	join	21
$o3	!old:acme.example	m.room.power_levels		\N	22
$o4	!old:acme.example	m.room.tombstone		\N	23
$s1	!space:acme.example	m.room.create		\N	24
$s2	!space:acme.example	m.room.member	@ann:acme.example	join	25
\.

COPY public.erased_users (user_id) FROM stdin;
@eve:acme.example
\.

COPY public.event_json (event_id, room_id, internal_metadata, json, format_version) FROM stdin;
$g1	!general:acme.example	{}	{"auth_events":[],"content":{"creator":"@ann:acme.example","room_version":"10"},"depth":1,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777100000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.create","unsigned":{"age_ts":1706777100000}}	3
$g2	!general:acme.example	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Ann Ames"},"depth":2,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777101000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ann:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777101000}}	3
$g3	!general:acme.example	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Ben Bell"},"depth":3,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777102000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ben:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777102000}}	3
$g4	!general:acme.example	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Zoe Zane"},"depth":4,"hashes":{"sha256":"x"},"origin":"other.example","origin_server_ts":1706777103000,"prev_events":[],"room_id":"!general:acme.example","sender":"@zoe:other.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@zoe:other.example","type":"m.room.member","unsigned":{"age_ts":1706777103000}}	3
$g5	!general:acme.example	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Helper"},"depth":5,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777104000,"prev_events":[],"room_id":"!general:acme.example","sender":"@helper:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@helper:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777104000}}	3
$g6	!general:acme.example	{}	{"auth_events":[],"content":{"membership":"invite","displayname":"Dee"},"depth":6,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777105000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@dee:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777105000}}	3
$g7	!general:acme.example	{}	{"auth_events":[],"content":{"membership":"ban"},"depth":7,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777106000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@cem:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777106000}}	3
$g8	!general:acme.example	{}	{"auth_events":[],"content":{"users":{"@ann:acme.example":100,"@zoe:other.example":50},"users_default":0},"depth":8,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777107000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.power_levels","unsigned":{"age_ts":1706777107000}}	3
$g9	!general:acme.example	{}	{"auth_events":[],"content":{"join_rule":"public"},"depth":9,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777108000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.join_rules","unsigned":{"age_ts":1706777108000}}	3
$p1	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	{}	{"auth_events":[],"content":{"room_version":"12","additional_creators":["@ben:acme.example"]},"depth":10,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777200000,"prev_events":[],"room_id":"!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.create","unsigned":{"age_ts":1706777200000}}	4
$p2	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Ann Ames"},"depth":11,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777201000,"prev_events":[],"room_id":"!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ann:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777201000}}	4
$p3	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Ben Bell"},"depth":12,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777202000,"prev_events":[],"room_id":"!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ben:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777202000}}	4
$p4	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Helper"},"depth":13,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777203000,"prev_events":[],"room_id":"!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA","sender":"@helper:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@helper:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777203000}}	4
$p5	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	{}	{"auth_events":[],"content":{"users":{},"users_default":0},"depth":14,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777204000,"prev_events":[],"room_id":"!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.power_levels","unsigned":{"age_ts":1706777204000}}	4
$d1	!annben:acme.example	{}	{"auth_events":[],"content":{"creator":"@ann:acme.example","room_version":"10"},"depth":15,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777300000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.create","unsigned":{"age_ts":1706777300000}}	3
$d2	!annben:acme.example	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Ann Ames"},"depth":16,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777301000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ann:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777301000}}	3
$d3	!annben:acme.example	{}	{"auth_events":[],"content":{"membership":"invite","displayname":"Ben Bell","is_direct":true},"depth":17,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777302000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ben:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777302000}}	3
$d4	!annben:acme.example	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Ben Bell"},"depth":18,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777303000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ben:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777303000}}	3
$d5	!annben:acme.example	{}	{"auth_events":[],"content":{"users":{"@ann:acme.example":100,"@ben:acme.example":100}},"depth":19,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777304000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.power_levels","unsigned":{"age_ts":1706777304000}}	3
$o1	!old:acme.example	{}	{"auth_events":[],"content":{"creator":"@ann:acme.example","room_version":"1"},"depth":20,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777400000,"prev_events":[],"room_id":"!old:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.create","unsigned":{"age_ts":1706777400000}}	3
$o2	!old:acme.example	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Ann Ames"},"depth":21,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777401000,"prev_events":[],"room_id":"!old:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ann:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777401000}}	3
$o3	!old:acme.example	{}	{"auth_events":[],"content":{"users":{"@ann:acme.example":"100"}},"depth":22,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777402000,"prev_events":[],"room_id":"!old:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.power_levels","unsigned":{"age_ts":1706777402000}}	3
$o4	!old:acme.example	{}	{"auth_events":[],"content":{"body":"This room has been replaced","replacement_room":"!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA"},"depth":23,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777403000,"prev_events":[],"room_id":"!old:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.tombstone","unsigned":{"age_ts":1706777403000}}	3
$s1	!space:acme.example	{}	{"auth_events":[],"content":{"creator":"@ann:acme.example","room_version":"10","type":"m.space"},"depth":24,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777500000,"prev_events":[],"room_id":"!space:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"","type":"m.room.create","unsigned":{"age_ts":1706777500000}}	3
$s2	!space:acme.example	{}	{"auth_events":[],"content":{"membership":"join","displayname":"Ann Ames"},"depth":25,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777501000,"prev_events":[],"room_id":"!space:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"state_key":"@ann:acme.example","type":"m.room.member","unsigned":{"age_ts":1706777501000}}	3
$m1	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Welcome, Ben!","m.mentions":{"user_ids":["@ben:acme.example"]},"format":"org.matrix.custom.html","formatted_body":"Welcome, <b>Ben</b>!"},"depth":26,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778000250,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778000250}}	3
$r1	!general:acme.example	{}	{"auth_events":[],"content":{"m.relates_to":{"rel_type":"m.annotation","event_id":"$m1","key":"🎉"}},"depth":27,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778005000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.reaction","unsigned":{"age_ts":1706778005000}}	3
$r2	!general:acme.example	{}	{"auth_events":[],"content":{"m.relates_to":{"rel_type":"m.annotation","event_id":"$m1","key":"🎉"}},"depth":28,"hashes":{"sha256":"x"},"origin":"other.example","origin_server_ts":1706778006000,"prev_events":[],"room_id":"!general:acme.example","sender":"@zoe:other.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.reaction","unsigned":{"age_ts":1706778006000}}	3
$r3	!general:acme.example	{}	{"auth_events":[],"content":{"m.relates_to":{"rel_type":"m.annotation","event_id":"$m1","key":"👎"}},"depth":29,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778007000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.reaction","unsigned":{"age_ts":1706778007000}}	3
$x1	!general:acme.example	{}	{"auth_events":[],"content":{"redacts":"$r3"},"depth":30,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778008000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.redaction","unsigned":{"age_ts":1706778008000}}	3
$m2	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Thank you","m.relates_to":{"rel_type":"m.thread","event_id":"$m1","is_falling_back":true,"m.in_reply_to":{"event_id":"$m1"}}},"depth":31,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778060000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778060000}}	3
$m3	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"> <@ann:acme.example> Welcome, Ben!\\n\\nFrom me, too\\n> and a quote","m.relates_to":{"m.in_reply_to":{"event_id":"$m1"}}},"depth":32,"hashes":{"sha256":"x"},"origin":"other.example","origin_server_ts":1706778090000,"prev_events":[],"room_id":"!general:acme.example","sender":"@zoe:other.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778090000}}	3
$m14	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"> No reply before","m.relates_to":{"m.in_reply_to":{"event_id":"$m3"}}},"depth":33,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778095000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778095000}}	3
$m4	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"The draf is redy"},"depth":34,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778120000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778120000}}	3
$e1	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"* The draft is redy","m.new_content":{"msgtype":"m.text","body":"The draft is redy"},"m.relates_to":{"rel_type":"m.replace","event_id":"$m4"}},"depth":35,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778130000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778130000}}	3
$e2	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"* The draft is ready","m.new_content":{"msgtype":"m.text","body":"The draft is ready"},"m.relates_to":{"rel_type":"m.replace","event_id":"$m4"}},"depth":36,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778140000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778140000}}	3
$m5	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.image","body":"How it looks","filename":"logo.png","url":"mxc://acme.example/AbCdEf","info":{"mimetype":"image/png","size":2048,"w":64,"h":64}},"depth":37,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778180000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778180000}}	3
$m6	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.file","body":"plan.pdf","url":"mxc://acme.example/GhIjKl","info":{"mimetype":"application/pdf","size":4096}},"depth":38,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778200000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778200000}}	3
$m7	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Wrong room"},"depth":39,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778220000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778220000}}	3
$x2	!general:acme.example	{}	{"auth_events":[],"content":{"redacts":"$m7"},"depth":40,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778230000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.redaction","unsigned":{"age_ts":1706778230000}}	3
$m8	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Still here"},"depth":41,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778240000,"prev_events":[],"room_id":"!general:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778240000}}	3
$x3	!general:acme.example	{}	{"auth_events":[],"content":{"redacts":"$m8"},"depth":42,"hashes":{"sha256":"x"},"origin":"other.example","origin_server_ts":1706778241000,"prev_events":[],"room_id":"!general:acme.example","sender":"@zoe:other.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.redaction","unsigned":{"age_ts":1706778241000}}	3
$m9	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Not allowed"},"depth":43,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778250000,"prev_events":[],"room_id":"!general:acme.example","sender":"@cem:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778250000}}	3
$m10	!general:acme.example	{"soft_failed":true}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Too late"},"depth":44,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778260000,"prev_events":[],"room_id":"!general:acme.example","sender":"@cem:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778260000}}	3
$m11	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"From before we joined"},"depth":45,"hashes":{"sha256":"x"},"origin":"other.example","origin_server_ts":1706778270000,"prev_events":[],"room_id":"!general:acme.example","sender":"@zoe:other.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778270000}}	3
$m12	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.notice","body":"Build 7 passed"},"depth":46,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778300000,"prev_events":[],"room_id":"!general:acme.example","sender":"@helper:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778300000}}	3
$d6	!annben:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Only for you"},"depth":47,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706781600000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706781600000}}	3
$d7	!annben:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Thanks","m.relates_to":{"m.in_reply_to":{"event_id":"$d6"}}},"depth":48,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706781660000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706781660000}}	3
$d8	!annben:acme.example	{}	{"auth_events":[],"content":{"m.relates_to":{"rel_type":"m.annotation","event_id":"$d7","key":"👍️"}},"depth":49,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706781670000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.reaction","unsigned":{"age_ts":1706781670000}}	3
$d9	!annben:acme.example	{}	{"auth_events":[],"content":{"algorithm":"m.megolm.v1.aes-sha2","ciphertext":"x","session_id":"x"},"depth":50,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706781680000,"prev_events":[],"room_id":"!annben:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.encrypted","unsigned":{"age_ts":1706781680000}}	3
$p6	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	{}	{"auth_events":[],"content":{"msgtype":"m.emote","body":"waves"},"depth":51,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706785200000,"prev_events":[],"room_id":"!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA","sender":"@ben:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706785200000}}	4
$p7	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	{}	{"auth_events":[],"content":{"body":"A cat","url":"mxc://acme.example/StIcKr","info":{"mimetype":"image/png","size":512}},"depth":52,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706785260000,"prev_events":[],"room_id":"!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.sticker","unsigned":{"age_ts":1706785260000}}	4
$o5	!old:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"We move"},"depth":53,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706777420000,"prev_events":[],"room_id":"!old:acme.example","sender":"@ann:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706777420000}}	3
$m13	!general:acme.example	{}	{"auth_events":[],"content":{"msgtype":"m.text","body":"Forget me"},"depth":54,"hashes":{"sha256":"x"},"origin":"acme.example","origin_server_ts":1706778310000,"prev_events":[],"room_id":"!general:acme.example","sender":"@eve:acme.example","signatures":{"acme.example":{"ed25519:a":"x"}},"type":"m.room.message","unsigned":{"age_ts":1706778310000}}	3
\.

COPY public.events (topological_ordering, event_id, type, room_id, content, unrecognized_keys, processed, outlier, depth, origin_server_ts, received_ts, sender, contains_url, instance_name, stream_ordering, state_key, rejection_reason) FROM stdin;
1	$g1	m.room.create	!general:acme.example	\N	\N	t	f	1	1706777100000	1706777100020	@ann:acme.example	f	master	1		\N
2	$g2	m.room.member	!general:acme.example	\N	\N	t	f	2	1706777101000	1706777101020	@ann:acme.example	f	master	2	@ann:acme.example	\N
3	$g3	m.room.member	!general:acme.example	\N	\N	t	f	3	1706777102000	1706777102020	@ben:acme.example	f	master	3	@ben:acme.example	\N
4	$g4	m.room.member	!general:acme.example	\N	\N	t	f	4	1706777103000	1706777103020	@zoe:other.example	f	master	4	@zoe:other.example	\N
5	$g5	m.room.member	!general:acme.example	\N	\N	t	f	5	1706777104000	1706777104020	@helper:acme.example	f	master	5	@helper:acme.example	\N
6	$g6	m.room.member	!general:acme.example	\N	\N	t	f	6	1706777105000	1706777105020	@ann:acme.example	f	master	6	@dee:acme.example	\N
7	$g7	m.room.member	!general:acme.example	\N	\N	t	f	7	1706777106000	1706777106020	@ann:acme.example	f	master	7	@cem:acme.example	\N
8	$g8	m.room.power_levels	!general:acme.example	\N	\N	t	f	8	1706777107000	1706777107020	@ann:acme.example	f	master	8		\N
9	$g9	m.room.join_rules	!general:acme.example	\N	\N	t	f	9	1706777108000	1706777108020	@ann:acme.example	f	master	9		\N
10	$p1	m.room.create	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	\N	\N	t	f	10	1706777200000	1706777200020	@ann:acme.example	f	master	10		\N
11	$p2	m.room.member	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	\N	\N	t	f	11	1706777201000	1706777201020	@ann:acme.example	f	master	11	@ann:acme.example	\N
12	$p3	m.room.member	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	\N	\N	t	f	12	1706777202000	1706777202020	@ben:acme.example	f	master	12	@ben:acme.example	\N
13	$p4	m.room.member	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	\N	\N	t	f	13	1706777203000	1706777203020	@helper:acme.example	f	master	13	@helper:acme.example	\N
14	$p5	m.room.power_levels	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	\N	\N	t	f	14	1706777204000	1706777204020	@ann:acme.example	f	master	14		\N
15	$d1	m.room.create	!annben:acme.example	\N	\N	t	f	15	1706777300000	1706777300020	@ann:acme.example	f	master	15		\N
16	$d2	m.room.member	!annben:acme.example	\N	\N	t	f	16	1706777301000	1706777301020	@ann:acme.example	f	master	16	@ann:acme.example	\N
17	$d3	m.room.member	!annben:acme.example	\N	\N	t	f	17	1706777302000	1706777302020	@ann:acme.example	f	master	17	@ben:acme.example	\N
18	$d4	m.room.member	!annben:acme.example	\N	\N	t	f	18	1706777303000	1706777303020	@ben:acme.example	f	master	18	@ben:acme.example	\N
19	$d5	m.room.power_levels	!annben:acme.example	\N	\N	t	f	19	1706777304000	1706777304020	@ann:acme.example	f	master	19		\N
20	$o1	m.room.create	!old:acme.example	\N	\N	t	f	20	1706777400000	1706777400020	@ann:acme.example	f	master	20		\N
21	$o2	m.room.member	!old:acme.example	\N	\N	t	f	21	1706777401000	1706777401020	@ann:acme.example	f	master	21	@ann:acme.example	\N
22	$o3	m.room.power_levels	!old:acme.example	\N	\N	t	f	22	1706777402000	1706777402020	@ann:acme.example	f	master	22		\N
23	$o4	m.room.tombstone	!old:acme.example	\N	\N	t	f	23	1706777403000	1706777403020	@ann:acme.example	f	master	23		\N
24	$s1	m.room.create	!space:acme.example	\N	\N	t	f	24	1706777500000	1706777500020	@ann:acme.example	f	master	24		\N
25	$s2	m.room.member	!space:acme.example	\N	\N	t	f	25	1706777501000	1706777501020	@ann:acme.example	f	master	25	@ann:acme.example	\N
26	$m1	m.room.message	!general:acme.example	\N	\N	t	f	26	1706778000250	1706778000270	@ann:acme.example	f	master	26	\N	\N
27	$r1	m.reaction	!general:acme.example	\N	\N	t	f	27	1706778005000	1706778005020	@ben:acme.example	f	master	27	\N	\N
28	$r2	m.reaction	!general:acme.example	\N	\N	t	f	28	1706778006000	1706778006020	@zoe:other.example	f	master	28	\N	\N
29	$r3	m.reaction	!general:acme.example	\N	\N	t	f	29	1706778007000	1706778007020	@ben:acme.example	f	master	29	\N	\N
30	$x1	m.room.redaction	!general:acme.example	\N	\N	t	f	30	1706778008000	1706778008020	@ben:acme.example	f	master	30	\N	\N
31	$m2	m.room.message	!general:acme.example	\N	\N	t	f	31	1706778060000	1706778060020	@ben:acme.example	f	master	31	\N	\N
32	$m3	m.room.message	!general:acme.example	\N	\N	t	f	32	1706778090000	1706778090020	@zoe:other.example	f	master	32	\N	\N
33	$m14	m.room.message	!general:acme.example	\N	\N	t	f	33	1706778095000	1706778095020	@ann:acme.example	f	master	33	\N	\N
34	$m4	m.room.message	!general:acme.example	\N	\N	t	f	34	1706778120000	1706778120020	@ben:acme.example	f	master	34	\N	\N
35	$e1	m.room.message	!general:acme.example	\N	\N	t	f	35	1706778130000	1706778130020	@ben:acme.example	f	master	35	\N	\N
36	$e2	m.room.message	!general:acme.example	\N	\N	t	f	36	1706778140000	1706778140020	@ben:acme.example	f	master	36	\N	\N
37	$m5	m.room.message	!general:acme.example	\N	\N	t	f	37	1706778180000	1706778180020	@ann:acme.example	t	master	37	\N	\N
38	$m6	m.room.message	!general:acme.example	\N	\N	t	f	38	1706778200000	1706778200020	@ben:acme.example	t	master	38	\N	\N
39	$m7	m.room.message	!general:acme.example	\N	\N	t	f	39	1706778220000	1706778220020	@ben:acme.example	f	master	39	\N	\N
40	$x2	m.room.redaction	!general:acme.example	\N	\N	t	f	40	1706778230000	1706778230020	@ann:acme.example	f	master	40	\N	\N
41	$m8	m.room.message	!general:acme.example	\N	\N	t	f	41	1706778240000	1706778240020	@ann:acme.example	f	master	41	\N	\N
42	$x3	m.room.redaction	!general:acme.example	\N	\N	t	f	42	1706778241000	1706778241020	@zoe:other.example	f	master	42	\N	auth_error
43	$m9	m.room.message	!general:acme.example	\N	\N	t	f	43	1706778250000	1706778250020	@cem:acme.example	f	master	43	\N	auth_error
44	$m10	m.room.message	!general:acme.example	\N	\N	t	f	44	1706778260000	1706778260020	@cem:acme.example	f	master	44	\N	\N
45	$m11	m.room.message	!general:acme.example	\N	\N	t	t	45	1706778270000	1706778270020	@zoe:other.example	f	master	45	\N	\N
46	$m12	m.room.message	!general:acme.example	\N	\N	t	f	46	1706778300000	1706778300020	@helper:acme.example	f	master	46	\N	\N
47	$d6	m.room.message	!annben:acme.example	\N	\N	t	f	47	1706781600000	1706781600020	@ann:acme.example	f	master	47	\N	\N
48	$d7	m.room.message	!annben:acme.example	\N	\N	t	f	48	1706781660000	1706781660020	@ben:acme.example	f	master	48	\N	\N
49	$d8	m.reaction	!annben:acme.example	\N	\N	t	f	49	1706781670000	1706781670020	@ann:acme.example	f	master	49	\N	\N
50	$d9	m.room.encrypted	!annben:acme.example	\N	\N	t	f	50	1706781680000	1706781680020	@ann:acme.example	f	master	50	\N	\N
51	$p6	m.room.message	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	\N	\N	t	f	51	1706785200000	1706785200020	@ben:acme.example	f	master	51	\N	\N
52	$p7	m.sticker	!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	\N	\N	t	f	52	1706785260000	1706785260020	@ann:acme.example	t	master	52	\N	\N
53	$o5	m.room.message	!old:acme.example	\N	\N	t	f	53	1706777420000	1706777420020	@ann:acme.example	f	master	53	\N	\N
54	$m13	m.room.message	!general:acme.example	\N	\N	t	f	54	1706778310000	1706778310020	@eve:acme.example	f	master	54	\N	\N
\.

COPY public.profiles (user_id, displayname, avatar_url, full_user_id, fields) FROM stdin;
ann	Ann Ames	mxc://acme.example/AnnPic	@ann:acme.example	\N
ben	Ben Bell	\N	@ben:acme.example	\N
cem	Cem Can	\N	@cem:acme.example	\N
helper	Helper	\N	@helper:acme.example	\N
\.

COPY public.redactions (event_id, redacts, have_censored, received_ts, recheck) FROM stdin;
$x1	$r3	f	1706778008000	f
$x2	$m7	f	1706778230000	f
$x3	$m8	f	1706778241000	f
\.

COPY public.rejections (event_id, reason, last_check) FROM stdin;
$x3	auth_error	1706778241000
$m9	auth_error	1706778250000
\.

COPY public.room_stats_state (room_id, name, canonical_alias, join_rules, history_visibility, encryption, avatar, guest_access, is_federatable, topic, room_type) FROM stdin;
!general:acme.example	General	#general:acme.example	public	shared	\N	\N	can_join	t	Everything	\N
!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	Plan	\N	invite	invited	\N	\N	forbidden	t	\N	\N
!annben:acme.example	\N	\N	invite	shared	m.megolm.v1.aes-sha2	\N	can_join	t	\N	\N
!old:acme.example	Old plan	\N	invite	shared	\N	\N	can_join	t	\N	\N
!space:acme.example	Acme	\N	invite	shared	\N	\N	can_join	t	\N	m.space
\.

COPY public.rooms (room_id, is_public, creator, room_version, has_auth_chain_index) FROM stdin;
!general:acme.example	t	@ann:acme.example	10	t
!Pq8vTn4Wk2LzRs6YbXc0DfGhJm3NpQtVwZ1a5e7iUoA	f	@ann:acme.example	12	t
!annben:acme.example	f	@ann:acme.example	10	t
!old:acme.example	f	@ann:acme.example	1	t
!space:acme.example	f	@ann:acme.example	10	t
!invited:other.example	f		\N	t
\.

COPY public.users (name, password_hash, creation_ts, admin, upgrade_ts, is_guest, appservice_id, consent_version, consent_server_notice_sent, user_type, deactivated, shadow_banned, consent_ts, approved, locked, suspended) FROM stdin;
@ann:acme.example	$2b$12$x	1706000000	1	\N	0	\N	\N	\N	\N	0	f	\N	t	f	f
@ben:acme.example	$2b$12$x	1706000000	0	\N	0	\N	\N	\N	\N	0	f	\N	t	f	f
@cem:acme.example	$2b$12$x	1706000000	0	\N	0	\N	\N	\N	\N	1	f	\N	t	f	f
@helper:acme.example	$2b$12$x	1706000000	0	\N	0	\N	\N	\N	bot	0	f	\N	t	f	f
@dee:acme.example	$2b$12$x	1706000000	0	\N	0	\N	\N	\N	\N	0	f	\N	t	t	f
\.

--
-- PostgreSQL database dump complete
--
