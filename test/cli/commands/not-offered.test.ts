// Tests that no command ends because the platform does not offer a read that the command does not need.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { isEssential } from '../../../src/core/refresh/listing.ts';
import { hiddenChannelsRequest } from '../../../src/core/resources/group-channel/statuses.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { reaching } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { appliedEstate, fastCommands } from './support/optional-reads.ts';

const text = `version: 1
policy: { read_each: 100 }
users:
  alice: { nickname: Alice, metadata: { team: a } }
bots:
  helper: { bot_nickname: Helper, bot_type: own, bot_callback_url: "https://example.com/b", bot_profile_url: "https://example.com/b.png", is_privacy_mode: false }
custom_types:
  support: { max_message_length: 100 }
open_channels:
  lobby: { name: Lobby, metadata: { a: b } }
group_channels:
  room: { name: Room, members: { alice: }, metadata: { a: b } }
`;

/** Of every kind, the reads that a command can do without. */
const optional = [
  ...registry.flatMap((kind) => {
    const { list, parts = [] } = kind.live ?? {};
    const lists = list === undefined || isEssential(kind, undefined) ? [] : [list.route, `${list.route}/{key}`];
    return [
      ...lists,
      ...parts
        .filter(({ attribute }) => !isEssential(kind, attribute))
        .flatMap(({ request, instead }) => [request('x'), ...(instead?.requests('x') ?? [])].map(({ route }) => route)),
    ];
  }),
  hiddenChannelsRequest('x').route,
].map((route) => new RegExp(`${route.replaceAll(/\{\w+\}/gu, '[^/?]+')}(?:\\?.*)?$`, 'u'));

const answers = [
  { status: 404, code: 400404 },
  { status: 400, code: 400404 },
  { status: 403, code: 0 },
  { status: 400, code: 400108 },
] as const;

async function refusing({ status, code }: (typeof answers)[number]) {
  const running = await startPlatform({ rateLimits: false });
  const { transit, url, close } = await startAltering(running.url);
  onTestFinished(close);
  const at = await place(
    { 'chat.yaml': text },
    {
      ...reaching({ url, token: running.token }),
      CHATFORM_ALLOWED_HOSTS: 'example.com',
    },
  );
  await at.does('apply --auto-approve --tokens-out tokens');
  transit.refusedAs = status;
  const asked = new Set<string>();
  transit.change = (answer, path) => {
    const read = optional.find((pattern) => pattern.test(path));
    if (read === undefined) return answer;
    asked.add(read.source);
    return { error: true, code, message: 'no' };
  };
  return { at, asked, url };
}

test.for(answers)('names reads that are not offered ($status, $code), and goes on without them', async (answer) => {
  const { at, asked, url } = await refusing(answer);
  for (const command of ['plan --refresh', 'drift', 'drift --target bot.helper']) {
    const { stdout, stderr } = await at.does(command);
    expect(`${stdout}${stderr}`.replaceAll(/\s+/gu, ' '), command).toContain('does not offer this read');
  }
  const exported = ['export', '--out-dir', 'copy', '--state', 'file:other', '--hidden-status', '--read-each'];
  await at.does(exported);
  const written = Object.values(await at.content('copy')).join('');
  for (const what of ['bots', 'group_channels.hidden_status']) expect(written).toContain(what);
  await at.does('state forget user.alice group_channel.room custom_type.support --auto-approve');
  await at.does('adopt user.alice group_channel.room --path chat.yaml');
  await at.ends('adopt custom_type.support --path chat.yaml', 1, 'does not offer to read custom_type.support');
  const survey = await at.does(['init', 'fresh', '--base-url', url]);
  expect(survey.stderr).toMatch(/Not counted, because the platform does not offer this read: .*bot/u);
  const rebuilt = await at.does('state rebuild chat.yaml --force');
  expect(rebuilt.stdout.replaceAll(/\s+/gu, ' ')).toContain('does not offer to read: ');
  expect(asked.size).toBeGreaterThan(5);
});

test('a command names the one read that is refused, whichever it is, and goes on', async () => {
  const { crossings, expectNamed } = await appliedEstate();
  const all = await crossings(fastCommands);
  await fc.assert(fc.asyncProperty(fc.constantFrom(...all), expectNamed), { numRuns: 12, endOnFailure: true });
});
