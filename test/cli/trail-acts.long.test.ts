// Tests that each command that changes a state leaves one entry in its trail, in a database and in object storage.
import { describe } from 'vitest';
import { testTrailActs } from './support/trail-acts.ts';

describe.for(['postgres', 'azurite'] as const)('%s', (name) => testTrailActs(name));
