// Tests plans over many more estates, edits and interruptions than the fast suite does.
import './diff/expiry.test.ts';
import './order/full-channels.test.ts';
import './plan-builder.test.ts';
import './plan-file/plan-file.test.ts';
import './plan.test.ts';
import './promise.test.ts';
import './judges/acknowledgements.test.ts';
