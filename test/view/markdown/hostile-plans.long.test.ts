// The comments and annotations of plans with hostile names, with all their samples and sizes.
import '../ci/findings.test.ts';
import './plan.test.ts';
