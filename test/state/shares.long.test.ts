// Tests of state that play a share of their schedules in the fast suite, with all of them.
import './engine/apply.test.ts';
import './engine/chaos.test.ts';
import './engine/readers.test.ts';
import './seal/rekey.test.ts';
import './stores/folder-lock.test.ts';
import './stores/postgres-conformance.test.ts';
