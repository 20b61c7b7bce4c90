// Tests that manifests name the place of their state, so that everybody who has them works with the same one.
import { describe, expect } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import { desk } from '../../support/desk.ts';
import { commitAll, startRepository } from '../../support/git.ts';
import { Place, place } from '../../support/place.ts';
import { fastTest } from '../../support/suite.ts';

const manifest = desk['chat.yaml'] ?? '';

function declaring(state: string, text = manifest): string {
  return text.replace('application:\n', `application:\n  state: ${state}\n`);
}

const inCi = { CI: 'true' };

/** The objects that a plan would create. */
async function created(at: Place, command = 'plan'): Promise<number> {
  const plan = (await at.json(command)) as { readonly summary: { readonly create?: number } };
  return plan.summary.create ?? 0;
}

describe('a declared place of the state', () => {
  fastTest('is used from every folder and in CI', async () => {
    const at = await place({ 'chat/chat.yaml': declaring('file:state') });
    await at.with({ env: inCi }).does('apply chat --auto-approve');
    expect(Object.keys(await at.content('chat'))).toContain('state/state.ndjson');
    expect(await created(at, 'plan chat')).toBe(0);
    expect(await at.json('plan chat')).toMatchObject({ state: 'file:chat/state' });
    const { stdout } = await at.does('plan chat');
    expect(stdout).toContain('State file:chat/state\n');
    expect(await at.json('validate chat')).toMatchObject({ state: 'file:chat/state' });
    expect((await at.does('validate chat')).stdout).toContain('Declared place of the state: file:chat/state\n');
    await at.does('rehearse chat');
    await at.does('drift chat');
    expect(Object.keys(await at.content('.')).filter((file) => file.startsWith('.chatform/state'))).toEqual([]);
  });

  fastTest('is read in the working folder by commands without manifests', async () => {
    const at = await place({ 'chat.yaml': declaring('file:kept', manifest.replace('Lobby', '$' + '{LOBBY}')) });
    await at.does('apply --auto-approve');
    for (const command of [
      'state list',
      'state list --base-url emulator:.chatform/emulator',
      'state log',
      'state show user.alice',
    ])
      await at.does(command);
    await at.does('state pull --out copy.ndjson');
    await at.does('state push copy.ndjson');
    await at.write({ 'chat.yaml': declaring('file:kept', manifest.replace('nickname: Bob', 'nickname: Robert')) });
    await at.does('apply --auto-approve');
    await at.does('undo --auto-approve');
    expect(Object.keys(await at.content('kept'))).toContain('state.ndjson');
  });

  fastTest('is overridden by --state and CHATFORM_STATE, which the plan names', async () => {
    const at = await place({ 'chat.yaml': declaring('file:kept') });
    await at.does('apply --auto-approve');
    for (const other of [at.with({ env: { CHATFORM_STATE: 'file:other' } }), at]) {
      const flags = other === at ? ' --state file:other' : '';
      expect(await other.json(`plan${flags}`)).toMatchObject({ state: 'file:other', summary: { create: 5 } });
    }
  });

  fastTest('is in a saved plan, whose apply needs no manifests', async () => {
    const at = await place({ 'chat.yaml': declaring('file:kept') });
    await at.does('plan --out plan.chatform');
    await at.with({ env: inCi }).does('apply plan.chatform');
    expect(Object.keys(await at.content('kept'))).toContain('state.ndjson');
    expect(await created(at)).toBe(0);
  });

  fastTest('in a saved plan is refused where it leaves the repository, unless --state names one', async () => {
    const at = await place({
      '.git/HEAD': '',
      'chat/chat.yaml': declaring('file:../kept'),
      'other/chat/.git/HEAD': '',
    });
    const inside = new Place(at.path('chat'));
    await inside.does('plan --out ../other/chat/plan.chatform');
    const elsewhere = new Place(at.path('other/chat'));
    await elsewhere.ends('apply plan.chatform', 6, 'plan.state-elsewhere', '--state');
    await elsewhere.does('apply plan.chatform --state file:kept');
    expect(Object.keys(await elsewhere.content('kept'))).toContain('state.ndjson');
  });

  fastTest('of a base is relative to the base, and an overlay may replace it', async () => {
    const at = await place({
      'base/chat.yaml': declaring('file:kept'),
      'same/chat.yaml': 'version: 1\nextends: ../base\n',
      'other/chat.yaml': 'version: 1\nextends: ../base\napplication: { state: file:own }\n',
      '.git/HEAD': '',
    });
    expect(await at.json('validate same')).toMatchObject({ state: 'file:base/kept' });
    expect(await at.json('validate other')).toMatchObject({ state: 'file:other/own' });
    await at.does('validate --each same other');
  });
});

describe('with --each and --base-ref, a plan uses the place of the base and says so', () => {
  const without = { 'us/chat.yaml': manifest };
  const declares = { 'us/chat.yaml': declaring('file:kept') };
  const cases: Readonly<Record<string, readonly [base: typeof without, request: typeof without, state: string]>> = {
    'which the request removes': [declares, without, 'us/kept'],
    'which the request moves': [declares, { 'us/chat.yaml': declaring('file:moved') }, 'us/kept'],
    'which the request adds': [without, declares, '.chatform/state/us'],
  };
  for (const [name, [base, request, state]] of Object.entries(cases))
    fastTest(name, async () => {
      const at = await place({ ...base, '.gitignore': '.chatform/\nkept/\n' });
      startRepository(at.cwd);
      commitAll(at.cwd, 'base');
      await at.does('apply --each us --auto-approve');
      expect(Object.keys(await at.content(state))).toContain('state.ndjson');
      await at.write(request);
      const { each } = await at.json('plan --each us --base-ref HEAD');
      const [{ result }] = each as readonly [{ readonly result: Pick<Plan, 'summary' | 'warnings'> }];
      expect(result.summary).toEqual({});
      expect(result.warnings.map(({ code }) => code)).toContain('plan.state-moved');
      await at.ends('plan --each us --base-ref mian', 64, 'base.unknown-ref');
    });
});

const secret = 'hunter2';

describe('a place that a manifest cannot declare is refused with file and line', () => {
  const cases: Readonly<Record<string, readonly [string, string]>> = {
    'a password': [`postgres://ann:${secret}@db.example/chat`, 'contains a password'],
    'a password as a parameter': [`postgres://ann@db.example/chat?password=${secret}`, 'contains a password'],
    'a password that shifts the parts': [`postgres://ann:${secret}/x@db.example/chat`, 'cannot be read'],
    'keys of a bucket': [`s3://AKIA:${secret}@bucket/prefix`, 'is not one of'],
    'a signature': [`azblob://box/prefix?sig=${secret}`, 'which may contain a secret'],
    'credentials of an endpoint': [`s3://bucket?endpoint=https://ann:${secret}@store.example`, 'credentials'],
    'another scheme': [`https://ann:${secret}@store.example/x`, 'is not one of'],
    'a path without a scheme': ['kept', 'is not one of'],
    'a slash too many': ['file:///srv/state', 'is not one of'],
    'an endpoint without TLS': ['s3://bucket?endpoint=http://store.example&tls=off', 'turns off TLS'],
    'a database without TLS': ['postgres://db.example/chat?sslmode=disable', 'turns off TLS'],
    'another host behind the host': ['postgres://localhost/chat?host=db.example', 'the parameter host'],
    'a host as an account': ['azblob://box?account=store.example/', 'an invalid account'],
    'a host as a region': ['s3://bucket?region=store.example/', 'an invalid region'],
    'the folder of git': ['file:.git/x', 'hidden folder'],
    'a hidden folder further inside': ['file:kept/.cache/state', 'hidden folder'],
    'a variable': ['file:$' + '{PLACE}', 'uses a variable'],
  };
  for (const [name, [state, says]] of Object.entries(cases))
    fastTest(name, async () => {
      const at = await place({ 'chat.yaml': declaring(JSON.stringify(state)) }, { CHATFORM_VAR_PLACE: 'kept' });
      for (const command of ['validate', 'plan', 'state list', 'state list --base-url emulator:.chatform/emulator']) {
        const { exit, stdout, stderr } = await at.run(command);
        const said = (stdout + stderr).replaceAll(/\s+/gu, ' ');
        expect(exit, said).toBe(65);
        for (const text of ['manifest.state-place', 'chat.yaml:3:10', says]) expect(said).toContain(text);
        expect(said).not.toContain(secret);
      }
    });

  fastTest('a folder outside the repository', async () => {
    const at = await place({ 'chat.yaml': declaring('file:../kept') });
    for (const command of ['plan', 'state list --base-url emulator:.chatform/emulator'])
      await at.ends(command, 65, 'manifest.state-place', 'chat.yaml:3:10', 'outside the repository');
  });
});

describe('a server of a manifest', () => {
  const cases: Readonly<Record<string, readonly [state: string, host: string]>> = {
    'a database': ['postgres://ann@DB.example:5432/chat', 'db.example'],
    'a database with a port': ['postgres://db.example:6000/chat', 'db.example:6000'],
    'an endpoint': ['s3://bucket/prefix?endpoint=https://store.example:9000', 'store.example:9000'],
    'an endpoint without a port': ['azblob://box/prefix?endpoint=https://Store.example', 'store.example'],
  };
  for (const [name, [state, host]] of Object.entries(cases))
    fastTest(`is used only if its host is allowed: ${name}`, async () => {
      const at = await place({ 'chat.yaml': declaring(state) });
      await at.does('validate');
      for (const command of ['plan', 'apply --auto-approve', 'state list', 'drift'])
        await at.ends(command, 65, 'state.untrusted-host', host, 'CHATFORM_ALLOWED_HOSTS');
    });

  fastTest('is opened if its host is allowed', async () => {
    const at = await place({ 'chat.yaml': declaring('azblob://box/prefix?endpoint=https://store.example') });
    const allowed = at.with({ env: { CHATFORM_ALLOWED_HOSTS: 'store.example' } });
    await allowed.ends('plan', 64, 'state.usage', 'names no account');
  });
});

const unread = 'The state file:.chatform/state is new, and the platform was not read';
const found = 'The state file:other is new, but 5 declared objects already exist on the platform';

describe('the first line of a plan', () => {
  fastTest('says that the state is new and nothing was read', async () => {
    const at = await place(desk);
    for (const command of ['plan', 'plan --plain'])
      expect((await at.does(command)).stdout).toMatch(RegExp(`^${unread}`, 'u'));
    expect((await at.does('plan --format markdown')).stdout).toMatch(
      /^.*\n### chatform: The state is new\. 5 to create\.\n[\s\S]*\n\nThe state `file:\.chatform\/state` is new/u,
    );
    expect(await at.json('plan')).toMatchObject({ new_state: { place: 'file:.chatform/state' } });
    expect((await at.does('apply --auto-approve')).stdout).toMatch(RegExp(`^${unread}`, 'u'));
  });

  fastTest('says what exists on the platform although the state is new', async () => {
    const at = await place(desk);
    expect(await at.json('plan --refresh')).not.toHaveProperty('new_state');
    await at.does('apply --auto-approve');
    for (const command of ['plan', 'plan --refresh']) expect(await at.json(command)).not.toHaveProperty('new_state');
    const { stdout } = await at.does('plan --refresh --state file:other');
    expect(stdout.replaceAll(/\s+/gu, ' ')).toMatch(RegExp(`^${found}`, 'u'));
    const { new_state } = (await at.json('plan --refresh --state file:other')) as { readonly new_state: unknown };
    expect(new_state).toEqual({ place: 'file:other', existing: 5 });
  });
});
