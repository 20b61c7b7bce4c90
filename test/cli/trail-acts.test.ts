// Each command that changes a state leaves one entry in its trail. For the other stores see trail-acts.long.test.ts.
import { testTrailActs } from './support/trail-acts.ts';

testTrailActs('file');
