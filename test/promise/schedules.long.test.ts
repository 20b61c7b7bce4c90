// Tests the promise with all the kills, disk faults and saved plans of which the fast suite tries some.
import './disk.test.ts';
import './exports.test.ts';
import './messages.test.ts';
import './promise.test.ts';
import './saved-plans.test.ts';
import './stages.test.ts';
