// Tests the bot against the emulator. Each test begins with what the manifests declare.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import './bot.mjs';

const { CHATFORM_BASE_URL: api, CHATFORM_API_TOKEN: token, CHATFORM_EMULATOR_URL: emulator } = process.env;

async function call(method, url, body) {
  const headers = { 'Api-Token': token, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  return { status: answer.status, ...(await answer.json()) };
}

const write = (user_id, message) =>
  call('POST', `${api}/group_channels/support-42/messages`, { message_type: 'MESG', user_id, message });

/** The texts in the channel, once the bot has answered every call. */
async function texts() {
  const { deliveries } = await call('GET', `${emulator}/__deliveries`);
  for (const { category, state } of deliveries) assert.equal(state, 'delivered', category);
  const find = async () => (await call('GET', `${api}/group_channels/support-42/messages?message_ts=0`)).messages;
  for (let tries = 0; tries < 50 && (await find()).length < 2; tries += 1) await new Promise((done) => setTimeout(done, 20));
  return (await find()).map(({ message }) => message);
}

beforeEach(() => call('POST', `${emulator}/__reset`));

test('answers /hours', async () => {
  await write('alice', '/hours');
  assert.deepEqual(await texts(), ['/hours', 'We are here from 9 to 5.']);
});

test('greets who joins', async () => {
  await call('POST', `${api}/group_channels/support-42/invite`, { user_ids: ['bob'] });
  await write('bob', 'hello');
  assert.deepEqual((await texts()).toSorted(), ['Welcome, Bob!', 'hello']);
});

test('lets bob back in when his ban of an hour is over', async () => {
  await call('POST', `${api}/group_channels/support-42/ban`, { user_id: 'bob', seconds: 3600 });
  const invite = () => call('POST', `${api}/group_channels/support-42/invite`, { user_ids: ['bob'] });
  assert.equal((await invite()).code, 400750);
  await call('POST', `${emulator}/__clock`, { advance_s: 3600 });
  assert.equal((await invite()).status, 200);
});
