// Tests comments and annotations of plans with hostile names, with all samples and sizes.
import '../plan-formats.test.ts';
import './plan.test.ts';
