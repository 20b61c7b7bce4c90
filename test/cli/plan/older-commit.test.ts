// Tests that plan and apply notice a commit that is older than the one that was applied last.
import { cpSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commitAll, git, startRepository } from '../../support/git.ts';
import { Place } from '../../support/place.ts';
import { copiesOf, temporaryFolder } from '../../support/temporary-folder.ts';

const estate = (nickname: string) =>
  `version: 1\napplication: { base_url: "emulator:.chatform/emulator" }\nusers: { alice: { nickname: ${nickname} } }\n`;

/** Three commits, of which CI applied the first and the last, which reverts the second. Both later ones have a saved plan. */
const reverted = copiesOf(async (cwd) => {
  const at = new Place(cwd);
  await at.write({ 'chat.yaml': estate('A'), '.gitignore': '.chatform/\n*.chatform\n' });
  startRepository(cwd);
  await inCi(at).does(apply);
  await at.write({ 'chat.yaml': estate('B') });
  commitAll(cwd, 'second');
  await inCi(at).does('plan --out second.chatform --state file:.chatform/state');
  await inCi(at).does(apply);
  git(cwd, 'revert', '--no-edit', 'HEAD');
  await inCi(at).does(apply);
});
const apply = 'apply --auto-approve --state file:.chatform/state';
const applySecond = 'apply second.chatform --state file:.chatform/state';

/** As a job of the checked-out commit. */
function inCi(at: Place): Place {
  return at.with({ env: { CI: 'true', GITHUB_SHA: git(at.cwd, 'rev-parse', 'HEAD') } });
}

const older = ['plan.older-commit', 'This plan may undo what was merged since'];

describe('a plan of an older commit', () => {
  test('that was saved before a revert is refused in CI, unless --allow-older', async () => {
    const at = new Place(await reverted());
    const before = await at.content('.chatform');
    await inCi(at).ends(applySecond, 6, ...older, '--allow-older');
    expect(await at.content('.chatform')).toEqual(before);
    await inCi(at).ends(`${applySecond} --allow-older`, 0, ...older);
    expect((await at.run('state show user.alice')).stdout).toContain('"B"');
  });

  test('is a warning of plan and apply for a person', async () => {
    const at = new Place(await reverted());
    await at.ends(applySecond, 0, ...older);
  });

  test('is refused when an old job runs again, and a warning beside --base-ref', async () => {
    const at = new Place(await reverted());
    git(at.cwd, 'checkout', '--quiet', 'HEAD~1');
    await inCi(at).ends(apply, 6, ...older);
    await inCi(at).ends('plan --state file:.chatform/state', 6, ...older);
    for (const [around, flags] of [
      [inCi(at), '--allow-older'],
      [inCi(at), '--base-ref main~2'],
      [at, ''],
    ] as const) {
      const command = `plan --state file:.chatform/state ${flags}`.trim();
      const { warnings } = (await around.json(command)) as { warnings: unknown[] };
      expect(warnings).toContainEqual(expect.objectContaining({ severity: 'warning', code: 'plan.older-commit' }));
    }
    expect((await at.does('apply --auto-approve')).stdout).toContain('plan.older-commit');
  });

  test('is no warning for newer commits, a state that CI never wrote, and without git or a repository', async () => {
    const at = new Place(await reverted());
    await at.write({ 'chat.yaml': estate('C') });
    commitAll(at.cwd, 'newer');
    for (const around of [at, inCi(at)]) {
      const { warnings } = await around.json('plan --state file:.chatform/state');
      expect(warnings).toEqual([]);
    }
    git(at.cwd, 'checkout', '--quiet', 'HEAD~2');
    const noGit = inCi(at).with({ env: { PATH: at.path('nothing') } });
    expect((await noGit.json('plan --state file:.chatform/state')).warnings).toEqual([]);
    expect((await inCi(at).json('plan --state file:elsewhere')).warnings).toEqual([]);
  });

  test('cannot be told in a shallow clone, which is a warning', async () => {
    const at = new Place(await reverted());
    await at.write({ 'chat.yaml': estate('C') });
    commitAll(at.cwd, 'newer');
    const clone = new Place(await temporaryFolder());
    git(clone.cwd, 'clone', '--quiet', '--depth', '1', `file://${at.cwd}`, 'checkout');
    const shallow = new Place(clone.path('checkout'));
    cpSync(at.path('.chatform'), shallow.path('.chatform'), { recursive: true });
    const { warnings } = await inCi(shallow).json('plan --state file:.chatform/state');
    expect(warnings).toMatchObject([{ severity: 'warning', code: 'plan.commit-unknown' }]);
  });
});
