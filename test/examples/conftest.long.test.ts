// Tests that the rules of examples/ci/conftest give the same verdicts in CEL and in OPA's conftest, over generated plans.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disk } from '../../src/core/manifest/files/access.ts';
import { loadManifests } from '../../src/core/manifest/load.ts';
import type { Action } from '../../src/core/model/action.ts';
import type { Address } from '../../src/core/model/address.ts';
import type { Change } from '../../src/core/model/change.ts';
import { registry } from '../../src/core/resources/index.ts';
import { planAsJson } from '../../src/core/view/json/plan.ts';
import { changeOf, planOf } from '../core/view/support/plans.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const example = join(import.meta.dirname, '../../examples/ci/conftest');
const conftest = process.env.CHATFORM_CONFTEST ?? 'conftest';
const isThere = spawnSync(conftest, ['--version']).status === 0;
const absent =
  'conftest is not there: go install github.com/open-policy-agent/conftest, or name it in CHATFORM_CONFTEST';
const plans = 1_000;

const text = fc.constantFrom('Alice', 'ALICE', 'BOB B', 'bob', '', 'Éa', 'É');
const attribute = fc.record(
  {
    path: fc.constantFrom(['name'], ['nickname'], ['metadata', 'name'], ['data']),
    before: text,
    after: text,
    how: fc.constant('set' as const),
  },
  { requiredKeys: ['path', 'how'] },
);
const actions = fc.constantFrom<readonly Action[]>(
  ...([['create'], ['delete'], ['deactivate'], ['deactivate'], ['deactivate'], ['update']] as const),
  ...([
    ['update', 'leave'],
    ['create', 'freeze'],
  ] as const),
);
const file = fc.constantFrom('teams/support/rooms.yaml', 'teams', 'other/teams/x.yaml', 'chat.yaml');
const change = fc
  .record(
    {
      kind: fc.constantFrom('user', 'user', 'user', 'group_channel', 'open_channel'),
      actions,
      attributes: fc.array(attribute, { maxLength: 3 }),
      file,
      reversibility: fc.constantFrom('reversible', 'lossy', 'irreversible'),
      cause: fc.constantFrom('request', 'pending'),
    },
    { requiredKeys: ['kind', 'actions', 'attributes', 'reversibility'] },
  )
  .map(
    ({ kind, file: name, actions: given, ...rest }) =>
      (index: number): Change =>
        changeOf(`${kind}.key-${index}` as Address, given, {
          ...(rest as Pick<Change, 'attributes' | 'reversibility' | 'cause'>),
          dangerous: false,
          ...(name === undefined ? {} : { source: { file: name, line: 1, column: 1 } }),
        }),
  );

interface Verdicts {
  readonly filename: string;
  readonly failures?: readonly { readonly metadata: { readonly rule: string; readonly address: string } }[];
  readonly warnings?: Verdicts['failures'];
}

test.skipIf(!isThere)(`${plans} plans${isThere ? '' : `: ${absent}`}`, async () => {
  const { planRules, diagnostics } = await loadManifests(['policy.yaml'], {
    kinds: registry,
    cwd: example,
    variables: () => undefined,
    files: disk,
  });
  expect(diagnostics).toEqual([]);
  const folder = await temporaryFolder({});
  const lists = fc.sample(fc.array(change, { maxLength: 18 }), { numRuns: plans, seed: 23 });
  const expected: string[][] = [];
  for (const [index, list] of lists.entries()) {
    const plan = planOf(list.map((make, at) => make(at)));
    const found = planRules?.judge(plan, '2026-01-01');
    const verdicts = [...(found?.refusals ?? []), ...(found?.remarks ?? [])].map(({ severity, detail, address }) => {
      const rule = /The rule (\S+) is at/u.exec(detail)?.[1];
      return `${severity} ${rule} ${address ?? 'plan'}`;
    });
    expected.push(verdicts.sort());
    await writeFile(join(folder, `${index}.json`), [...planAsJson(plan, {})].join(''));
  }
  const names = lists.map((_list, index) => `${index}.json`);
  const args = ['test', '--no-fail', '--output', 'json', '--policy', example, ...names];
  const { status, stdout, stderr } = spawnSync(conftest, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e9 });
  expect(status, stderr).toBe(0);
  const byFile = new Map((JSON.parse(stdout) as readonly Verdicts[]).map((verdicts) => [verdicts.filename, verdicts]));
  const line =
    (severity: string) =>
    ({ metadata }: { metadata: { rule: string; address: string } }) =>
      `${severity} ${metadata.rule} ${metadata.address}`;
  const found = names.map((name) => {
    const { failures = [], warnings = [] } = byFile.get(name) ?? { filename: name };
    return [...failures.map(line('error')), ...warnings.map(line('warning'))].sort();
  });
  expect(found).toEqual(expected);
  // The plans are of every sort.
  const seen = new Set(expected.flat().map((verdict) => verdict.split(' ')[1]));
  expect(seen.size).toBe(5);
  expect(expected.filter((verdicts) => verdicts.length === 0).length).toBeGreaterThan(20);
});
