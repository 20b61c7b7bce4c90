// Tests that a state of a newer version is refused, and left untouched.
import { expect, test } from 'vitest';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import { withDigest } from '../../../../src/core/state/engine/layout.ts';
import { application, backendOn, now, put, refusalOf } from '../../../support/state/fixtures.ts';
import { SimulatedStore } from '../../../support/state/simulated-store.ts';

test.for(['read', 'open', 'holder'] as const)('a newer format is refused by %s, and left untouched', async (use) => {
  const owner = { user: 'ci', host: 'h', pid: 1 };
  const context = { clock: nodeClock, owner, newId: () => 'new', isAlive: () => false };
  const store = new SimulatedStore(nodeClock);
  const at = () => backendOn(store.connect(), context);
  const writer = await at().open(now);
  await writer.done('1', put('a'));
  await writer.close();
  for (const [key, bytes] of store.contents()) {
    if (!key.startsWith('head/')) continue;
    const [line = ''] = bytes.toString().split('\n');
    store.tamper(key, withDigest([Buffer.from(`${line.replace('chatform-state/1', 'chatform-state/2')}\n`)], key));
  }
  const before = [...store.contents()];
  const refusal = await refusalOf(use === 'open' ? at().open(now) : at()[use](application));
  expect(refusal).toMatchObject({ code: 'state.newer-format', exitCode: 1 });
  expect(refusal.message).toContain('chatform-state/2');
  expect([...store.contents()].filter(([key]) => !key.startsWith('head/0000000003'))).toEqual(before);
});
