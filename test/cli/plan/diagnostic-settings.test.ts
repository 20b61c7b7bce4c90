// Tests that commands and the library treat warnings as policy.diagnostics says.
import { describe, expect } from 'vitest';
import * as library from '../../../src/library.ts';
import { startRepository } from '../../support/git.ts';
import { place } from '../../support/place.ts';
import { fastTest } from '../../support/suite.ts';

/** `alice` has a value that looks like a secret, and the entry under removed is not in state. */
const manifestWith = (policy: string) => ({
  '.gitignore': '.chatform/\n',
  'chat.yaml': `version: 1
application: { base_url: "emulator:.chatform/emulator" }
${policy === '' ? '' : `policy: { diagnostics: { ${policy} } }\n`}removed: [{ address: user.gone }]
users: { alice: { nickname: Alice, metadata: { api_key: public-1234 } } }
`,
});

interface Shown {
  readonly diagnostics?: readonly library.Diagnostic[];
  readonly warnings?: readonly library.Diagnostic[];
}

const severities = (shown: readonly library.Diagnostic[] = []) =>
  shown.map(({ severity, code }) => `${severity} ${code}`);

describe('policy.diagnostics', () => {
  fastTest.for([
    ['', 'warning manifest.secret-value', 'note plan.removed-unknown'],
    [
      'manifest.secret-value: off, plan.removed-unknown: off',
      'note manifest.switched-off',
      'note manifest.switched-off',
    ],
    ['plan.removed-unknown: warning', 'warning manifest.secret-value', 'warning plan.removed-unknown'],
  ] as const)('{ %s } applies to validate, plan and the library', async ([policy, ofManifests, ofPlan]) => {
    const at = await place(manifestWith(policy));
    const validated = (await at.json('validate')) as Shown;
    expect(severities(validated.diagnostics)).toEqual([ofManifests]);
    expect(severities(((await at.json('plan')) as Shown).warnings)).toEqual([ofPlan]);
    const options = { cwd: at.cwd, env: {} };
    expect(severities((await library.validate(options)).diagnostics)).toEqual([ofManifests]);
    const { plan, diagnostics } = await library.plan(options);
    expect([severities(diagnostics), severities(plan.warnings)]).toEqual([[ofManifests], [ofPlan]]);
  });

  fastTest('refuses manifests with a warning that it raises (65)', async () => {
    const at = await place(manifestWith('manifest.secret-value: { level: error, reason: We had a leak }'));
    expect(await at.run('validate')).toMatchObject({
      exit: 65,
      stdout: expect.stringContaining('We had a leak') as string,
    });
    for (const command of ['plan', 'apply --auto-approve']) await at.ends(command, 65, 'We had a leak');
    await expect(library.plan({ cwd: at.cwd, env: {} })).rejects.toMatchObject({ exitCode: 65 });
  });

  fastTest('refuses a plan with a note that it raises (5)', async () => {
    const at = await place(manifestWith('plan.removed-unknown: { level: error, reason: Delete old entries }'));
    for (const command of ['plan', 'apply --auto-approve']) await at.ends(command, 5, 'Delete old entries');
    await expect(library.plan({ cwd: at.cwd, env: {} })).rejects.toMatchObject({ exitCode: 5 });
  });

  fastTest('is that of the base of a request, and an edit of it is a warning', async () => {
    const at = await place(manifestWith(''));
    startRepository(at.cwd);
    await at.write(manifestWith('manifest.secret-value: off'));
    const { stdout, stderr } = await at.does('plan --base-ref main --format json');
    expect(stderr).toContain('manifest.secret-value');
    expect(stderr).not.toContain('manifest.switched-off');
    expect(severities((JSON.parse(stdout) as Shown).warnings)).toContain('warning plan.rules-edited');
  });

  fastTest('tells in the output of an apply what is not shown, and why', async () => {
    const at = await place(manifestWith('manifest.secret-value: { level: off, reason: Published keys }'));
    const { stderr, stdout } = await at.does('apply --auto-approve');
    expect(stderr + stdout).toContain('1 diagnostic with the code manifest.secret-value is not shown: Published keys.');
  });
});
