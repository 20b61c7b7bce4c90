// Runs all schedules of the applier's tests of which the fast suite runs a part.
import './doubt/crash.test.ts';
import './schedule/lane.test.ts';
