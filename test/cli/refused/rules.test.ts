// Tests that the rules and restrictions of a policy refuse plans and applies, warn, and are taken from the base of a request.
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { commitAll, startRepository } from '../../support/git.ts';
import { Place, place } from '../../support/place.ts';

const policy = (when: string, more = '') => ({
  'policy.yaml': `version: 1\npolicy:\n  rules:\n    - { name: watch, when: '${when}', message: Ask the platform team.${more} }\n`,
});

test('refuses a plan and an apply that break a rule, and shows warnings', async () => {
  const at = await place({ ...desk, ...policy('change.kind == "user"') });
  const { stdout, stderr } = await at.ends('plan', 5);
  expect(stdout + stderr).toMatch(/safety\.rule[\s\S]*Ask the platform team\. The rule watch is at policy\.yaml:4:/u);
  await at.ends('apply --auto-approve', 5);
  await at.write(policy('change.kind == "user"', ', level: warning'));
  const { warnings } = await at.json('plan');
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'plan.rule', address: 'user.alice' }));
  await at.does('apply --auto-approve');
});

test('applies the rules to destroy', async () => {
  const at = await place(desk);
  await at.does('apply --auto-approve');
  await at.write(policy('count("user.deactivate") > 0'));
  await at.ends('destroy --confirm emulator:.chatform/emulator', 5, 'safety.rule');
});

test('applies the rules of the base to a request, with causes', async () => {
  const at = await place({ ...desk, ...policy('change.cause == "request"') });
  startRepository(at.cwd);
  await at.write({
    'policy.yaml': 'version: 1\npolicy: {}\n',
    'more.yaml': 'version: 1\nusers: { zoe: { nickname: Zoe } }\n',
  });
  commitAll(at.cwd, 'a user, and no rule');
  await at.does('plan');
  const { stdout, stderr } = await at.ends('plan --base-ref HEAD~1', 5);
  expect(stdout + stderr).toMatch(/safety\.rule[^\n]*\n[^\n]*user\.zoe/u);
  expect(stdout + stderr).not.toMatch(/safety\.rule[^\n]*\n[^\n]*user\.alice/u);
  expect(stdout).toContain('rules of the policy differs');
});

const team = 'teams/support/users.yaml';
const restricted = {
  'policy.yaml': `version: 1
application: { base_url: "emulator:.chatform/emulator" }
policy: { restrictions: [{ files: "teams/**", users: ["^agent-"], verbs: [create] }] }
`,
  [team]: 'version: 1\nusers:\n  agent-1: { nickname: One }\n  agent-2: { nickname: Two }\n',
};

test('refuses what a file may not declare, before anything else', async () => {
  const at = await place({ ...restricted, [team]: 'version: 1\nusers:\n  boss: { nickname: Boss }\n' });
  const { stdout } = await at.ends('validate', 65);
  expect(stdout).toContain('error[manifest.restricted]');
  expect(stdout).toContain(`${team}:3:3`);
  await at.ends('plan', 65);
});

test('refuses forbidden changes of a file in plan and apply, from any folder', async () => {
  const at = await place(restricted);
  await at.does('apply --auto-approve');
  await at.write({ [team]: 'version: 1\nusers:\n  agent-1: { nickname: Uno }\n  agent-3: { nickname: Three }\n' });
  // Creating is allowed. Editing and removing are not allowed from these files.
  const says = ['The plan would update user.agent-1', 'The plan would remove user.agent-2'];
  const { stderr } = await at.ends('plan', 5, ...says);
  expect(stderr).not.toContain('user.agent-3.');
  const below = new Place(at.path('teams'), { env: { CHATFORM_STATE: `file:${at.path('.chatform/state')}` } });
  await below.ends('apply .. --auto-approve --base-url emulator:.chatform/emulator', 5);
});

test('shows refusals in one order in the terminal, the comment, the page and JSON', async () => {
  const users = 'users:\n  zoe: { nickname: Zoe }\n  ann: { nickname: Ann }\n';
  const at = await place({
    ...desk,
    ...policy('change.address in ["user.ann", "user.zoe"]'),
    'more.yaml': `version: 1\n${users}`,
  });
  const views = 'json=plan.json markdown=plan.md html=plan.html';
  const { stdout, stderr } = await at.ends(`plan --write ${views}`, 5);
  const { refusals } = await at.readJson('plan.json');
  const order = (refusals as readonly { readonly address: string }[]).map(({ address }) => address);
  expect(order).toEqual(['user.ann', 'user.zoe']);
  const inOrder = RegExp(order.map((address) => address.replace('.', '\\.')).join('[\\s\\S]*?'), 'u');
  const refused = (text: string, begin: string) =>
    text.slice(text.indexOf(begin), text.lastIndexOf('Ask the platform'));
  expect(refused(stdout + stderr, 'error[safety.rule]')).toMatch(inOrder);
  expect(refused(await at.read('plan.md'), 'Refused by a safety rule')).toMatch(inOrder);
  expect(refused((await at.read('plan.html')).replaceAll('<wbr>', ''), 'Refused by a safety rule')).toMatch(inOrder);
});
