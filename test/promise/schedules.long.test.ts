// Tests the promise with every kill, every broken disk and every saved plan of which the fast suite tries some.
import './disk.test.ts';
import './exports.test.ts';
import './messages.test.ts';
import './promise.test.ts';
import './saved-plans.test.ts';
