// Tests that no command prints a password of a URL that an argument, an option or a variable contains.
import { expect } from 'vitest';
import { allCommands } from '../../../src/cli/commands/index.ts';
import { place } from '../../support/place.ts';
import { fastClock, runCli } from '../../support/run-cli.ts';
import { fastTest } from '../../support/suite.ts';

const password = 'hunter8secret';
const urls = [
  `postgres://ann:${password}@127.0.0.1:9/d?sslmode=disable&password=${password}`,
  `https://ann:${password}@host.invalid/x?access_token=${password}`,
  `https://${password}@host.invalid/x`,
];

/** Those that wait for others once they have started. */
const servers = new Set(['mcp', 'emulator']);

const definitions = (await allCommands()).filter(({ name }) => !servers.has(name));

fastTest.for(definitions.map(({ name, options }) => ({ name, options })))(
  'chatform $name hides it in each place',
  async ({ name, options }) => {
    const at = await place({ 'chat.yaml': 'version: 1\napplication: { base_url: "emulator:e" }\n' });
    const valued = options.flatMap(({ flags }) => /--([a-z-]+) </u.exec(flags)?.[1] ?? []);
    const [first = '', second = '', third = ''] = urls;
    const commandLines = [
      ...urls.map((url) => [name, url]),
      [name, first, second],
      [name, 'list', third],
      ...valued.map((flag, index) => [name, `--${flag}`, urls[index % urls.length] ?? '']),
    ];
    for (const words of commandLines) {
      const { stdout, stderr } = await runCli(words, { cwd: at.cwd, clock: fastClock(1000) });
      expect(`${stdout}${stderr}`, words.join(' ')).not.toContain(password);
    }
    const env = { CHATFORM_STATE: first, CHATFORM_BASE_URL: second };
    const { stdout, stderr } = await runCli([name], { cwd: at.cwd, env, clock: fastClock(1000) });
    expect(`${stdout}${stderr}`, 'variables').not.toContain(password);
  },
);

fastTest('the rest of an argument is shown, so that the error still names it', async () => {
  const at = await place();
  const { stdout, stderr } = await at.run(['plan', `postgres://ann:${password}@127.0.0.1/d`]);
  expect(`${stdout}${stderr}`).toContain('postgres:/ann:***@127.0.0.1/d does not exist');
  const chars = await at.run(['plan', 'https://a@x/plan']);
  expect(`${chars.stdout}${chars.stderr}`).toContain('https:/***@x/plan does not exist');
  await at.run(['plan', urls[0] ?? '', '--write', 'markdown=plan.md']);
  expect(await at.read('plan.md')).toContain(':***@');
  expect(await at.read('plan.md')).not.toContain(password);
});
