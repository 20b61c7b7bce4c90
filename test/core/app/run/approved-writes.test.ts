// Tests that nothing is sent but what a plan showed and somebody approved: a run is killed at each of its calls, before or after
// the call takes effect, and then each command that may follow is given. The writes that reach the platform are counted.
import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../../../src/core/app/apply.ts';
import { readDrift } from '../../../../src/core/app/drift.ts';
import { planChanges } from '../../../../src/core/app/plan.ts';
import { savePlan } from '../../../../src/core/app/plans/plan-file.ts';
import { forgetObjects, listAddresses, recordAt, stateLog } from '../../../../src/core/app/state.ts';
import { planUndo, undoRun } from '../../../../src/core/app/undo.ts';
import { Refusal } from '../../../../src/core/model/errors.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { requestPath } from '../../../../src/core/model/request.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { Chance } from '../../../promise/support/chance.ts';
import { writeFiles } from '../../../support/folders.ts';
import { manifestOf } from '../../../support/planning/manifest-of.ts';
import { resources } from '../../../support/planning/planning.ts';
import { startPlatform } from '../../../support/platform.ts';
import { inSuite, seedOfRun } from '../../../support/suite.ts';
import { type Gate, gateTo, lacking } from '../support/killed-runs.ts';
import { paths, type TestPorts, testPorts } from '../support/ports.ts';

/** Blocks by kind and key. */
type Blocks = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

const room = { members: { anna: {}, bert: {} } };
const code = (revision: number) => ({ is_public: true, access_code: { env: 'CODE', revision } });
const bot = { bot_nickname: 'Robo', bot_type: 't', bot_callback_url: 'https://bots.example.com/a' };
const type = { allow_links: false, push_template: { MESG: 'Hi', ADMM: 'News' } };
const webhook = { url: 'https://hooks.example.com/w', enabled_events: ['user:ban'] };

/** The blocks of the run before and of the run that is killed. */
const edits: readonly (readonly [what: string, before: Blocks, after: Blocks])[] = [
  ['an edited user', {}, { user: { anna: { nickname: 'New' } } }],
  ['a deactivated user', {}, { user: { anna: { nickname: 'A', deactivated: true } } }],
  ['metadata', { user: { anna: { nickname: 'A', metadata: { a: '1' } } } }, { user: { anna: { nickname: 'A' } } }],
  ['a new user', {}, { user: { dora: { nickname: 'D' } } }],
  ['a deleted user', { user: { dora: { nickname: 'D', lifecycle: { on_remove: 'delete' } } } }, {}],
  [
    'a webhook',
    { settings: { application: { webhook: { ...webhook, enabled: false } } } },
    { settings: { application: { webhook: { ...webhook, enabled: true } } } },
  ],
  ['an allowlist', {}, { settings: { application: { ip_whitelist: ['10.0.0.1', '127.0.0.1'] } } }],
  [
    'an invitation',
    { group_channel: { room } },
    { group_channel: { room: { members: { ...room.members, carl: {} } } } },
  ],
  ['a leave', { group_channel: { room } }, { group_channel: { room: { members: { anna: {} } } } }],
  ['an operator', { group_channel: { room } }, { group_channel: { room: { ...room, operators: ['bert'] } } }],
  ['a freeze', { group_channel: { room } }, { group_channel: { room: { ...room, frozen: true } } }],
  [
    'an access code',
    { group_channel: { room: { ...room, ...code(1) } } },
    { group_channel: { room: { ...room, ...code(2) } } },
  ],
  ['a new channel', {}, { group_channel: { room: { ...room, operators: ['anna'] } } }],
  ['a ban', { open_channel: { hall: { name: 'H' } } }, { open_channel: { hall: { name: 'H', banned: { bert: {} } } } }],
  ['a mute', { open_channel: { hall: { name: 'H' } } }, { open_channel: { hall: { name: 'H', muted: { bert: {} } } } }],
  [
    'a lifted mute',
    { open_channel: { hall: { name: 'H', muted: { bert: {} } } } },
    { open_channel: { hall: { name: 'H' } } },
  ],
  [
    'a custom type',
    { custom_type: { sales: type } },
    { custom_type: { sales: { ...type, push_template: { MESG: 'New' } } } },
  ],
  ['a new custom type', {}, { custom_type: { sales: { ...type, operators: ['anna'] } } }],
  ['a bot', { bot: { robo: bot } }, { bot: { robo: { ...bot, bot_nickname: 'New' } } }],
];

const effects = ['user.delete', 'user.deactivate', 'group_channel.freeze', 'custom_type.delete', 'settings.forget'];
const policy = {
  removals: { max_share: 1, free_count: 1000 },
  acknowledge: [...effects.map((effect) => ({ effect, count: 1 })), { effect: 'settings.lockout', count: 2 }],
};
const refusal = { rules: [{ name: 'nothing', when: 'true', message: 'Nothing may change.' }] };

/** A manifest with people and an allowlist which let every row be applied. */
function manifest(blocks: Blocks, more: JsonObject = {}): string {
  const people = { anna: { nickname: 'A' }, bert: { nickname: 'B' }, carl: { nickname: 'C' } };
  const whole = resources({ ...blocks, user: { ...people, ...blocks.user } });
  return JSON.stringify({ ...(JSON.parse(manifestOf(whole, {})) as JsonObject), policy: { ...policy, ...more } });
}

function callsOf({ steps }: Pick<Plan, 'steps'>): string[] {
  return [...steps].flatMap(({ request }) =>
    request === undefined || request.method === 'GET' ? [] : [`${request.method} ${requestPath(request)}`],
  );
}

const savedPlan = 'saved.chatform';

/** An application on which the first manifest of a row was applied. */
class Desk {
  readonly gate: Gate;
  readonly ports: TestPorts;
  readonly options;
  /** The writes of the plan that was shown. */
  approved: string[] = [];

  static async open(before: Blocks): Promise<Desk> {
    const platform = await startPlatform();
    const gate = await gateTo(platform);
    const env = {
      CHATFORM_API_TOKEN: platform.token,
      CHATFORM_VAR_CODE: 'secret',
      CHATFORM_ALLOWED_HOSTS: '127.0.0.1,bots.example.com,hooks.example.com',
    };
    const desk = new Desk(gate, { ...(await testPorts({ 'chat.yaml': manifest(before) })), env });
    const { report } = await applyChanges(desk.options, desk.ports);
    expect([report.exit_code, report.failures]).toEqual([0, []]);
    return desk;
  }

  private constructor(gate: Gate, ports: TestPorts) {
    this.gate = gate;
    this.ports = ports;
    this.options = { paths, baseUrl: gate.url, tokensOut: 'tokens', settleMs: 0, ratePlan: '100k_mau' };
  }

  readonly listeners = {
    review: async (plan: Plan) => {
      this.approved = callsOf(plan);
      return 'exact' as const;
    },
  };

  async declare(blocks: Blocks, more?: JsonObject): Promise<void> {
    await writeFiles(this.ports.cwd, { 'chat.yaml': manifest(blocks, more) });
  }

  async callsTo(after: Blocks): Promise<string[]> {
    await this.declare(after);
    const { plan } = await planChanges({ ...this.options, isToBeSaved: true }, this.ports);
    await savePlan(plan, savedPlan, this.ports);
    return callsOf(plan);
  }

  async killAt(calls: readonly string[], place: number, arrives: boolean, isSaved: boolean): Promise<void> {
    const fatal = { call: calls[place] ?? '', after: calls.slice(0, place), arrives };
    const options = isSaved ? { ...this.options, paths: [savedPlan] } : this.options;
    await this.gate.killed(fatal, this.ports.cwd, this.ports, (dying) => applyChanges(options, dying));
  }
}

type Sides = readonly [before: Blocks, after: Blocks];
interface Next {
  /** The exit code of a refusal. Absent: what is shown is approved and runs, or the command only reads. */
  readonly refused?: number;
  /** Whether the run that is killed and the command run the saved plan, which shows all calls. */
  readonly isSaved?: true;
  readonly give: (desk: Desk, sides: Sides) => Promise<unknown>;
}

const notApproved = '000000000000';
const apply = async (desk: Desk, blocks: Blocks, more: JsonObject = {}, approvedHash?: string): Promise<void> => {
  await desk.declare(blocks, more);
  await applyChanges({ ...desk.options, approvedHash }, desk.ports, desk.listeners);
};
/** Another edit beside those of the run before. */
const third = ([before]: Sides): Blocks => ({ ...before, user: { ...before.user, carl: { nickname: 'Third' } } });

/** What is given after the kill. */
const commands: Readonly<Record<string, Next>> = {
  undo: { give: (desk) => undoRun(desk.options, desk.ports, desk.listeners) },
  'undo, not approved': {
    refused: 6,
    give: (desk) => undoRun({ ...desk.options, approvedHash: notApproved }, desk.ports),
  },
  'plan of an undo': { give: (desk) => planUndo(desk.options, desk.ports) },
  'apply of the manifest before': { give: (desk, [before]) => apply(desk, before) },
  'apply of the same manifest': { give: (desk, [, after]) => apply(desk, after) },
  'apply of the same saved plan': {
    isSaved: true,
    give: (desk) => applyChanges({ ...desk.options, paths: [savedPlan] }, desk.ports),
  },
  'apply of a third manifest': { give: (desk, sides) => apply(desk, third(sides)) },
  'apply, not approved': { refused: 6, give: (desk, sides) => apply(desk, third(sides), {}, notApproved) },
  'apply against the policy': { refused: 5, give: (desk, sides) => apply(desk, third(sides), refusal) },
  plan: { give: (desk) => planChanges(desk.options, desk.ports) },
  drift: { give: (desk) => readDrift(desk.options, desk.ports) },
  'drift --repair harmless': {
    give: (desk) => applyChanges({ ...desk.options, isRepair: true }, desk.ports, desk.listeners),
  },
  'state show': {
    give: async (desk) => {
      for (const address of await listAddresses([], desk.options, desk.ports))
        await recordAt(address, desk.options, desk.ports);
    },
  },
  'state log': { give: (desk) => stateLog(desk.options, desk.ports) },
  'state forget': { give: (desk) => forgetObjects(['user.carl'], desk.options, desk.ports, async () => {}) },
};

/** Kills the run of a row at one of its calls, and gives the command. Returns the number of calls of the run. */
async function sendsWhatIsApproved(
  [what, before, after]: (typeof edits)[number],
  place: number,
  arrives: boolean,
  name: string,
): Promise<number> {
  const { give, refused, isSaved = false } = commands[name] ?? {};
  if (give === undefined) throw new Error(`no command ${name}`);
  const desk = await Desk.open(before);
  const calls = await desk.callsTo(after);
  const at = place % calls.length;
  const where = `${what}, killed at ${calls[at]}, which ${arrives ? 'arrives' : 'is lost'}; then ${name}`;
  await desk.killAt(calls, at, arrives, isSaved);
  const end = await give(desk, [before, after]).catch((error: unknown) => error);
  if (end instanceof Error && (!(end instanceof Refusal) || refused === undefined))
    throw new Error(where, { cause: end });
  const exit = end instanceof Refusal ? end.exitCode : undefined;
  const writes = desk.gate.taken().sort();
  if (isSaved) {
    // What no read shows may be sent again, since the plan shows it.
    const missing = lacking(calls.slice(arrives ? at + 1 : at), writes);
    expect({ where, exit, unplanned: lacking(writes, calls), missing }).toEqual({ where, unplanned: [], missing: [] });
    return calls.length;
  }
  expect({ where, exit, writes }).toEqual({
    where,
    exit: refused,
    writes: refused === undefined ? desk.approved.sort() : [],
  });
  return calls.length;
}

describe.runIf(inSuite(false, true))('at every call of a killed run', () => {
  test.for(edits)('%s: each command sends what its plan shows', async (edit) => {
    for (const name of Object.keys(commands))
      for (const arrives of [false, true])
        for (let place = 0, calls = 1; place < calls; place += 1)
          calls = await sendsWhatIsApproved(edit, place, arrives, name);
  });
});

test('at some calls of a killed run, each command sends what its plan shows', async () => {
  const chance = new Chance(seedOfRun());
  for (const name of Object.keys(commands))
    await sendsWhatIsApproved(chance.one(edits), chance.int(0, 3), chance.is(0.5), name);
});
