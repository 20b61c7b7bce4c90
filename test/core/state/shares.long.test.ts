// Runs all schedules of the state tests of which the fast suite runs a part.
import './engine/apply.test.ts';
import './engine/begin.test.ts';
import './engine/chaos.test.ts';
import './engine/readers.test.ts';
import './seal/rekey.test.ts';
import './stores/folder-crash.test.ts';
import './stores/folder-files.test.ts';
import './stores/folder-lock.test.ts';
import './stores/postgres-pooler.test.ts';
