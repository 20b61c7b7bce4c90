// Tests that each view shows above the changes what a reviewer must see first.
import { expect, test } from 'vitest';
import { changeOf, planOf, print } from '../support/plans.ts';

const source = { file: 'rooms.yaml', line: 4, column: 3 };
const renamedTo = { code: 'renamed_to', address: 'group_channel.new' } as const;
const renamedFrom = { code: 'renamed_from', address: 'group_channel.old' } as const;
const plan = planOf(
  [
    changeOf('group_channel.new', ['create'], { source, note_codes: [renamedFrom] }),
    changeOf('group_channel.old', ['freeze'], { note_codes: [renamedTo] }),
  ],
  {
    warnings: [
      { severity: 'note', code: 'plan.removed-unknown', summary: 'Of no concern', detail: 'x' },
      { severity: 'note', code: 'plan.not-checked', summary: 'Exclusive lists were not checked', detail: 'x' },
      { severity: 'warning', code: 'plan.left-out', summary: 'A change needs an excluded object', detail: 'x' },
      { severity: 'warning', code: 'plan.needs-signature', summary: 'The plan needs a signature', detail: 'x' },
    ],
  },
);

const changesBegin = { human: '+ group_channel.new  ', markdown: '<details>', html: 'id="changes-title"' } as const;

test.for(['human', 'markdown', 'html'] as const)('%s names them above the changes', async (format) => {
  const text = await print(format, plan);
  const head = text.slice(0, text.lastIndexOf(changesBegin[format])).replaceAll(/<script[\s\S]*?<\/script>/gu, '');
  const top = format === 'markdown' ? head.slice(0, head.indexOf('<details>')) : head;
  for (const words of [
    'Looks like a rename',
    'was group_channel.old',
    'Exclusive lists were not checked',
    'A change needs an excluded object',
    'The plan needs a signature',
  ])
    expect(top.replaceAll(/<[^>]*>|`/gu, '')).toContain(words);
  expect(top).not.toContain('Of no concern');
});

test.for(['human', 'markdown', 'html', 'github'] as const)(
  '%s says that the application is not known',
  async (format) => {
    const variable = 'CHATFORM_VAR_APP_ID';
    const lacking = { ...plan, unknown_application: { variable, from_state: true } } as const;
    const text = (await print(format, lacking)).replaceAll(/<[^>]*>/gu, '').replaceAll(/\s+/gu, ' ');
    expect(text).toContain(
      `The application is not known, because ${variable} is not set. The plan assumes ${plan.application}, the only one in the state.`,
    );
  },
);

test('a refused plan says so in the heading of its page', async () => {
  const refusal = { severity: 'error', code: 'safety.protected', summary: 'S', detail: 'D' } as const;
  expect(await print('html', plan, { refusals: [refusal] })).toMatch(
    /<title>Refused by 1 rule · [\s\S]*<h1[^>]*>[\s\S]*?>Refused by 1 rule</u,
  );
});
