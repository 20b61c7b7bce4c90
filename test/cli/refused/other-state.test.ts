// Tests that no run overlooks a state beside the manifests, or keeps its own in a folder that is discarded with the checkout.
import { expect, test } from 'vitest';
import { desk, deskElsewhere } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { connected, Place, place } from '../../support/place.ts';
import { copiesOf } from '../../support/temporary-folder.ts';

/** The desk in the folder `shop`, applied in that folder. */
const appliedShop = copiesOf(async (cwd) => {
  await writeFiles(cwd, { 'shop/chat.yaml': desk['chat.yaml'] ?? '' });
  await new Place(`${cwd}/shop`).does('apply --auto-approve');
});

test.for([
  'plan shop',
  'plan shop/chat.yaml',
  'apply shop --auto-approve',
  'drift shop',
  'rehearse shop',
  'state rebuild shop',
])('names the state in the folder of the manifests: %s', async (command) => {
  const at = new Place(await appliedShop());
  const { stderr } = await at.ends(command, 64, '--state file:shop/.chatform/state');
  expect(stderr.replace(/\s+/gu, ' ')).toMatch(
    /The state of shop\S* is in shop\/\.chatform\/state, and the working folder has none\./u,
  );
});

test('looks into the folders above the working folder when a path leads there, and takes a state that is named', async () => {
  const cwd = await appliedShop();
  await new Place(`${cwd}/shop`).does('plan ../shop');
  await (await place()).ends(['plan', `${cwd}/shop`], 64);
  await new Place(cwd).does('plan shop --state file:.chatform/state');
});

test('after a trial on the emulator, says how to go on with the real application', async () => {
  const { at } = await connected(deskElsewhere, { rateLimits: false });
  await at.does('apply --auto-approve --base-url emulator:trial');
  await at.ends('plan', 6, 'the state of a trial on the emulator');
  await at.does('plan --state file:.chatform/state-of-application');
});

async function inCi() {
  const sent: string[] = [];
  const { at, running } = await connected(deskElsewhere, { rateLimits: false, log: (line) => sent.push(line) });
  const { host, pathname } = new URL(running.url);
  return { at: at.with({ env: { CI: 'true' } }), identity: `${host}${pathname}`, sent };
}

test.for([
  'apply --auto-approve',
  'apply --auto-approve --refresh',
  'destroy --confirm IDENTITY',
  'adopt user.alice',
  'state rebuild',
  'export --out-dir exported',
])('refuses a state in CI that would be thrown away, and sends nothing: %s', async (command) => {
  const { at, identity, sent } = await inCi();
  const before = await at.content();
  await at.ends(command.replace('IDENTITY', identity), 64, '--state (CHATFORM_STATE)');
  expect(sent).toEqual([]);
  expect(await at.content()).toEqual(before);
});

test('accepts a state in CI that is named or contains objects, and begins the default state outside', async () => {
  const { at } = await inCi();
  await at.does('plan');
  await at.does('apply --auto-approve --state file:.chatform/state');
  await at.does('apply --auto-approve');
  const outside = (await inCi()).at.with({ env: { CI: 'false' } });
  await outside.does('apply --auto-approve');
});

test('knows a CI system that does not set CI', async () => {
  const { at } = await inCi();
  await at.with({ env: { CI: '', TF_BUILD: 'True' } }).ends('apply --auto-approve', 64, '--state (CHATFORM_STATE)');
});
