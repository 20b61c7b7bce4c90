// Tests that npm run demo shows what its page promises.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editsOf, issuesTokens } from '../support/demo-edits.ts';

const project = join(import.meta.dirname, '../..');
const isBuilt = existsSync(new URL('../../dist/cli/main.js', import.meta.url));

test.for(Object.keys(editsOf))('the demo of %s runs to its end in under a minute', (name, { skip }) => {
  if (!isBuilt) skip('dist/ is not there: run npm run build');
  const { status, stdout, stderr } = spawnSync('npx', ['tsx', 'test/support/demo.ts', name], {
    cwd: project,
    encoding: 'utf8',
    timeout: 60_000,
    // Settings of a real application must have no effect.
    env: { ...process.env, CHATFORM_BASE_URL: 'https://api-someone.sendbird.com/v3', CHATFORM_STATE: 'file:elsewhere' },
  });
  expect(status, stderr).toBe(0);
  const keep = issuesTokens(name) ? ' --tokens-out tokens.ndjson' : '';
  expect(stdout.match(/^\$ chatform .*$/gmu)).toEqual([
    '$ chatform validate',
    '$ chatform plan --out plan.chatform',
    `$ chatform apply plan.chatform${keep}`,
    '$ chatform plan --detailed-exitcode',
    '$ chatform plan --out edited.json --detailed-exitcode',
    `$ chatform apply edited.json${keep}`,
    '$ chatform plan --detailed-exitcode',
  ]);
  expect(stdout.match(/Nothing to do since the last apply/gu)).toHaveLength(2);
  const closed = (editsOf[name] ?? []).flatMap(({ to }) => to.match(/^.*(?:frozen|deactivated): true$/gmu) ?? []);
  expect(closed.length).toBeGreaterThan(0);
  for (const line of closed) expect(stdout).toContain(`+${line}`);
});
