// Tests AI chatbots and the switches of reactions, which applications treat differently or do not show (platform §9.3, §13.6).
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { connected } from '../../support/place.ts';

const chatbot = (more = '') => `version: 1
application: { rate_plan: 100k_mau }
bots: { helper: { bot_nickname: Helper, bot_type: ai, ai: { backend: chatgpt, model: gpt-4, temperature: 0.2 }${more} } }
`;

test('declares an AI chatbot without a callback, sees drift of its prompt, and exports it', async () => {
  const { at, call, running } = await connected({ 'chat.yaml': chatbot() });
  await at.does('apply --auto-approve --tokens-out tokens');
  expect((await at.run('plan --refresh')).stdout).toContain('No changes.');
  await at.write({ 'chat.yaml': chatbot().replace('gpt-4', 'gpt-5') });
  await at.does('apply --auto-approve --tokens-out tokens');
  expect(await call('GET', '/bots/helper')).toMatchObject({ ai: { model: 'gpt-5', temperature: 0.2 } });
  await call('PUT', '/bots/helper', { ai: { backend: 'chatgpt', model: 'gpt-5', temperature: 1, added: true } });
  const { changes } = await at.json('plan --refresh');
  expect(changes).toMatchObject([
    { address: 'bot.helper', attributes: [{ path: 'ai.temperature', before: 1, after: 0.2 }] },
  ]);
  await at.does('export --out-dir exported --state file:exported-state');
  const exported = Object.values(await at.content('exported')).join('');
  expect(exported).toContain('temperature: 1');
  expect(exported).not.toContain('added');
  expect(running.stats.requests.get('POST /bots')).toBe(1);
});

test('refuses ai where the application is known to ignore it, and asks for a callback without ai', async () => {
  const { at } = await connected({ 'chat.yaml': chatbot() });
  const plan = await at.json('plan');
  const behaviours = {
    format_version: '1.0',
    application: plan.application,
    date: '2026-11-01T00:00:00Z',
    chatform: '0.3.0',
    behaviours: { botAi: { value: 'readable', evidence: 'a bot without its prompt' } },
  };
  await at.write({ 'chatform-behaviours.json': JSON.stringify(behaviours) });
  await at.ends('apply --auto-approve --tokens-out tokens', 5, 'error[bot.ai-not-writable]', 'bot.helper declares ai');
  await at.write({ 'chat.yaml': chatbot().replace(/, ai: \{.*?\}/u, '') });
  const { diagnostics } = await at.json('validate', 65);
  expect(diagnostics).toMatchObject([
    { code: 'manifest.missing-key', detail: expect.stringContaining('bot_callback_url') },
  ]);
});

test('sends the switches of reactions before history files that may need them, and knows them from state alone', async () => {
  const text = 'version: 1\nsettings: { application: { reactions: true, use_default_emoji: false } }\n';
  const { at, running } = await connected({ 'chat.yaml': text.replace('{ application: ', '').replace(' } }', ' }') });
  await at.does('apply --auto-approve --tokens-out tokens');
  expect(running.stats.requests.get('PUT /applications/settings/reactions')).toBe(1);
  expect(running.stats.requests.get('PUT /applications/settings/use_default_emoji')).toBe(1);
  expect((await at.run('plan --refresh')).stdout).toContain('No changes.');
});

test('adds, changes and removes emojis by key, leaves others alone, and names a move between categories', async () => {
  const text = (emojis: string) =>
    `version: 1\napplication: { rate_plan: 100k_mau }\nsettings: { emojis: { ${emojis} } }\n`;
  const party = (url: string, id = 1) => `party: { url: "https://img.example/${url}", emoji_category_id: ${id} }`;
  const wave = 'wave: { url: "https://img.example/wave.png", emoji_category_id: 1 }';
  const { at, call } = await connected({ 'chat.yaml': text(`${party('a.png')}, ${wave}`) });
  const foreign = [{ key: 'cake', url: 'https://img.example/cake.png' }];
  await call('POST', '/emojis', { emoji_category_id: 7, emojis: foreign });
  await at.does('apply --auto-approve --tokens-out tokens');
  await at.write({ 'chat.yaml': text(party('b.png')) });
  await at.does('apply --auto-approve --tokens-out tokens');
  const shown = async () => ((await call('GET', '/emojis')).emojis as JsonObject[]).map(({ key, url }) => [key, url]);
  expect(await shown()).toEqual([
    ['cake', 'https://img.example/cake.png'],
    ['party', 'https://img.example/b.png'],
  ]);
  await call('PUT', '/emojis/party', { url: 'https://img.example/c.png' });
  expect((await at.json('plan --refresh')).drift).toMatchObject([{ address: 'settings.application' }]);
  await at.write({ 'chat.yaml': text(party('b.png', 2)) });
  await at.ends('plan', 65, 'error[settings.emoji-moved]', 'No call moves it');
});
