// Tests that any lost state can be rebuilt from manifests and platform, and that the next plan is empty.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { registry } from '../../../src/core/resources/index.ts';
import { startEmulator } from '../../../src/emulator/server.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import type { Estate } from '../../promise/support/estates.ts';
import { historyFileTexts } from '../../promise/support/history-files.ts';
import { scenarioOf } from '../../promise/support/scenario.ts';
import { reaching } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { Place } from '../../support/place.ts';
import { succeeded } from '../../support/run-cli.ts';
import { inSuite } from '../../support/suite.ts';

const policy = { removals: { max_share: 1, free_count: 10_000 }, reopen: { frozen: 'allow', deactivated: 'allow' } };
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const images = { 'a.png': Buffer.concat([png, Buffer.from('a')]), 'b.png': Buffer.concat([png, Buffer.from('b')]) };

/** A manifest may not use this id as a key. */
const renamed = (text: string) => text.replaceAll('"constructor"', '"carol"');

const sectionOf = (name: string) => registry.find(({ name: kind }) => kind === name)?.section ?? name;

/** JSON is YAML. */
function manifestOf({
  user,
  bot = {},
  settings = {},
  open_channel,
  group_channel,
  others = {},
  messages = {},
}: Estate): string {
  const section = (blocks: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>) =>
    Object.fromEntries(
      Object.entries(blocks).map(([key, block]): [string, JsonObject] => {
        const own = Object.entries(block).map(([name, value]): [string, JsonValue] => [
          name,
          name.endsWith('_file') && isObject(value) ? (value.file ?? null) : value,
        ]);
        const { mark_as_read } = messages[key] ?? {};
        const historyFile = { file: `history/${key}.ndjson`, ...(mark_as_read === undefined ? {} : { mark_as_read }) };
        return [
          key,
          { ...Object.fromEntries(own), ...(Object.hasOwn(messages, key) ? { messages: historyFile } : {}) },
        ];
      }),
    );
  const sections = {
    users: section(user),
    bots: section(bot),
    settings: settings.application ?? {},
    open_channels: section(open_channel),
    group_channels: section(group_channel),
    ...Object.fromEntries(Object.entries(others).map(([kind, blocks]) => [sectionOf(kind), section(blocks)])),
  };
  return renamed(JSON.stringify({ version: 1, policy, ...sections }));
}

/** Small estates with history files, bots and settings. The first one of the long suite has lists of more than one page. */
const seeds = inSuite(
  [12, 32],
  Array.from({ length: 40 }, (_, place) => place + 1),
);

test('leaves nothing to plan after a rebuild of any estate, with every message in its place', async () => {
  let compared = 0;
  for (const seed of seeds) {
    const { stages, behaviours } = scenarioOf(seed);
    const running = await startEmulator({ rateLimits: false, behaviours: { ...behaviours, messageRetrieval: 'on' } });
    const at = new Place(await makeFolder());
    try {
      const env = { ...reaching(running), CHATFORM_VAR_CODE: 'geheim' };
      const run = (...args: readonly string[]) => at.with({ env }).run(args);
      let exit = 0;
      // The second estate leaves retired objects behind.
      for (const { estate } of stages.slice(0, 2)) {
        const historyFiles = Array.from(historyFileTexts(estate), ([file, text]) => [file, renamed(text)]);
        await at.write({ ...images, 'm.yaml': manifestOf(estate), ...Object.fromEntries(historyFiles) });
        ({ exit } = await run('apply', 'm.yaml', '--auto-approve', '--tokens-out', 'tokens'));
        if (exit !== 0) break;
      }
      // Removing all objects of a kind needs an acknowledgement.
      expect([0, 5]).toContain(exit);
      if (exit !== 0) continue;
      await rm(at.path('.chatform'), { recursive: true });
      await succeeded(run('state', 'rebuild', 'm.yaml'));
      for (const args of [
        ['plan', '--detailed-exitcode'],
        ['plan', '--detailed-exitcode', '--refresh'],
        ['verify', '--all'],
      ]) {
        const end = await run(...args, 'm.yaml');
        expect({ seed, exit: end.exit }, end.stdout + end.stderr).toEqual({ seed, exit: 0 });
      }
      compared++;
    } finally {
      await running.close();
      await removeFolder(at.cwd);
    }
  }
  expect(compared).toBeGreaterThan(inSuite(1, 14));
});
