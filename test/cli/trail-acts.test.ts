// Tests that each command that changes a state leaves one entry in its trail. Other stores: trail-acts.long.test.ts.
import { testTrailActs } from './support/trail-acts.ts';

testTrailActs('file');
