// Tests the mappings that ship for vendors: their samples are converted, applied, verified and decoded.
import { expect, test } from 'vitest';
import { movedWith } from './support.ts';

test.for(['cometchat', 'firestore', 'pubnub', 'rocketchat', 'synapse', 'twilio', 'zulip'])('%s', async (name) => {
  await expect(`${JSON.stringify(await movedWith(name), null, 2)}\n`).toMatchFileSnapshot(`goldens/${name}.json`);
});
