// Tests each command after a kill at every call of a run.
import './approved-writes.test.ts';
