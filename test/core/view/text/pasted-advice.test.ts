// Tests that commands and lines in messages mean what they name after they are pasted into a shell or a manifest.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of manifests
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../../../src/cli/commands/index.ts';
import { exportedForPeople } from '../../../../src/cli/output/export-result.ts';
import { printResult } from '../../../../src/cli/output/result.ts';
import { readTarget } from '../../../../src/core/app/plans/targets.ts';
import { hiddenHistory } from '../../../../src/core/app/visibility/findings.ts';
import { classifyResolve } from '../../../../src/core/applier/verdict/classify.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import type { StepFailure } from '../../../../src/core/model/event.ts';
import type { PlanProblem } from '../../../../src/core/model/statements/problems.ts';
import { groupChannel } from '../../../../src/core/resources/group-channel/group-channel.ts';
import { mapAsHtml } from '../../../../src/core/view/html/map-page.ts';
import { planAsHtml } from '../../../../src/core/view/html/page.ts';
import { reportAsHtml } from '../../../../src/core/view/html/run-page.ts';
import { planAsMarkdown } from '../../../../src/core/view/markdown/plan.ts';
import { reportAsMarkdown } from '../../../../src/core/view/markdown/run-report.ts';
import { planForPeople } from '../../../../src/core/view/terminal/plan.ts';
import { applySummary } from '../../../../src/core/view/terminal/run-summary.ts';
import { planWords } from '../../../../src/core/view/text/plan-problems.ts';
import { safe } from '../../../../src/core/view/text/text.ts';
import { startForm, typingCommands, unbrokenWords } from '../../../../src/core/view/text/typed-commands.ts';
import { chatformCommand, pathArgument, shellWord, yamlWord } from '../../../../src/lib/tools/pasted-words.ts';
import { inShell, oddKeys as keys } from '../../../support/pasted.ts';
import { scan, sourceFiles } from '../../../support/source-files.ts';
import { create } from '../../applier/support/steps.ts';
import { largeMap } from '../support/application-maps.ts';
import { comparedPlan, emptyPlan, manyCreations } from '../support/plans.ts';
import { reports } from '../support/reports.ts';

const problem = (of: PlanProblem): string => planWords.problem(of).detail;
const summary = (failures: readonly StepFailure[]): string => {
  const report = reports.incomplete ?? reports.done;
  if (report === undefined) throw new Error('no report');
  const steps = { planned: 9, succeeded: 1, failed: 1, unknown: 0, skipped: 0 };
  const taken = { ...report, steps, failures, outcome: 'incomplete' as const, exit_code: 4 as const };
  return [...applySummary(taken, { color: false, width: 90 })].at(-1)?.trim() ?? '';
};

const history = {
  customType: '',
  channels: 1,
  messages: 1,
  group: { channels: 1, messages: 1, standing: 1, people: new Set(['a']) },
  batches: [],
};

/** Messages with commands that select an object, by what prints them. */
const selecting: Readonly<Record<string, (address: Address) => string>> = {
  'plan.exists, refuse': (address) => problem({ code: 'plan.exists', of: 'refuse', address }),
  'plan.exists, adopt_equal': (address) =>
    problem({ code: 'plan.exists', of: 'adopt_equal', address, differing: ['name'] }),
  'plan.exists, named': (address) => problem({ code: 'plan.exists', of: 'named', address, differing: ['name'] }),
  'plan.other-kind, rival': (rival) =>
    problem({
      ...{ code: 'plan.other-kind', address: 'open_channel.a', rival, keyName: 'channel_url' },
      ...{ title: 'open channel', rivalTitle: 'group channel' },
    }),
  'plan.other-kind, object': (address) =>
    problem({
      ...{ code: 'plan.other-kind', address, rival: 'group_channel.a', keyName: 'channel_url' },
      ...{ title: 'open channel', rivalTitle: 'group channel' },
    }).replace(/chatform state forget/u, 'it'),
  'a step that finds another object': (address) => {
    const resolve = {
      request: { method: 'GET', route: '/users' },
      absentOn: [],
      expect: [{ path: ['name'], is: 'a' }],
    } as const;
    const answer = { type: 'ok', body: { name: 'b' } } as const;
    const situation = { attempt: 1, mayHaveEffect: false, existing: 'refuse' } as const;
    const verdict = classifyResolve({ ...create('a'), address, resolve }, answer, situation as never);
    return 'reason' in verdict ? verdict.reason.message : '';
  },
  'the summary of a run': (address) =>
    summary([{ address, action: 'create', status: 400, code: 400202, message: 'taken' }]),
  'history.hidden': (address) =>
    hiddenHistory([{ history, shown: false, retention: 0, planned: undefined, place: 'a', address }], 'joining')[0]
      ?.advice ?? '',
};

test.for(Object.entries(selecting))('%s selects the object that it names and no other', ([, message]) => {
  const addresses = keys.map((key) => `user.${key}` as const);
  const pasted = addresses.map((address) => {
    const text = safe(message(address));
    const typed = typingCommands('npx --no-install chatform', Object.keys(commands))(text);
    const start = typed.indexOf('npx --no-install chatform ');
    return (unbrokenWords(typed.slice(start).trimEnd())[0] ?? '').replace(/[,.;]$/u, '');
  });
  for (const [at, words] of inShell(pasted).entries()) {
    const target = readTarget(words.at(-1) ?? '', 'ADDRESS');
    expect(words.slice(0, 3), pasted[at]).toEqual(['npx', '--no-install', 'chatform']);
    expect(addresses.filter(target.matches), pasted[at]).toEqual([addresses[at]]);
  }
});

/** Each file whose messages select an object, and what pastes them: a row above, or a test that runs the command. */
const selectors: Readonly<Record<string, string>> = {
  'core/app/visibility/findings.ts': 'history.hidden',
  'core/applier/verdict/classify.ts': 'a step that finds another object',
  // Its one key is the key of a channel, in which the platform allows only letters, digits, underscores and hyphens.
  'core/history/searching/batch-search.ts': 'test/cli/commands/history-returns.test.ts',
  'core/view/terminal/run-summary.ts': 'the summary of a run',
  'core/view/text/plan-problems.ts': 'plan.exists, refuse',
  'tools/live-import/export-selected.ts': 'test/tools/live-import/pasted-export.test.ts',
};

test('every message that selects an object is pasted', () => {
  const callers = sourceFiles().filter(
    ({ text }) => /\b(?:onlyAddress|adoptCommand)\(/u.test(text) && !text.includes('function onlyAddress('),
  );
  expect(callers.map(({ path }) => path).sort()).toEqual(Object.keys(selectors).sort());
  for (const by of Object.values(selectors)) expect(by in selecting || existsSync(by), by).toBe(true);
});

test('paths reach the command as they are, and are no flags', () => {
  const exported = { files: [], counts: [], messages: 0, leftOut: [], hosts: [], requests: 1, continued: false };
  const pasted = keys.flatMap((key) => {
    const text = [...exportedForPeople({ ...exported, state: key }, { out: key, state: key })].at(-1) ?? '';
    return [
      chatformCommand('apply', pathArgument(key)),
      text.slice(text.indexOf('chatform plan')).trimEnd(),
      `cd ${shellWord(pathArgument(key))}`,
    ];
  });
  expect(pasted.map(safe)).toEqual(pasted);
  const path = (key: string): string => (key.startsWith('-') ? `./${key}` : key);
  expect(inShell(pasted)).toEqual(
    keys.flatMap((key) => [
      ['chatform', 'apply', path(key)],
      ['chatform', 'plan', path(key), '--state', key],
      ['cd', path(key)],
    ]),
  );
});

test('keys in lines to paste are read as the keys that they name', () => {
  for (const key of keys) {
    const word = yamlWord(key);
    expect(safe(word)).toBe(word);
    const escaped = key.replaceAll('${var.', () => '$${var.');
    expect(parse(`[{ ${word}: 1 }, ${word}]`)).toEqual([{ [escaped]: 1 }, escaped]);
  }
  for (const word of ['null', 'true', 'No', 'y', '12', '']) expect(parse(`[${yamlWord(word)}]`)).toEqual([word]);
});

test('blocks of YAML in messages name the object and the user that they are about', () => {
  for (const key of keys) {
    const escaped = key.replaceAll('${var.', () => '$${var.');
    const rival = problem({
      ...{ code: 'plan.other-kind', address: 'open_channel.a', rival: `group_channel.${key}`, keyName: 'channel_url' },
      ...{ title: 'open channel', rivalTitle: 'group channel' },
    });
    const removed = rival.slice(rival.indexOf('{address: '), rival.indexOf(' under removed'));
    expect(parse(safe(removed)), key).toEqual({ address: `group_channel.${escaped}`, on_remove: 'delete' });
    const [status] = groupChannel.spellings?.hidden_status?.problems?.({ [key]: 'unhidden' }, { members: {} }) ?? [];
    const block = status?.detail.slice(status.detail.indexOf('members: {'), -1) ?? '';
    expect(parse(safe(block).replace('…', 'unhidden')), key).toEqual({
      members: { [escaped]: { hidden_status: 'unhidden' } },
    });
  }
});

test('only the writer of commands puts names into them', () => {
  const names = Object.keys(commands).join('|');
  const byHand = new RegExp(`chatform (?:state [a-z]+|${names})(?: --[a-z-]+)* ['"]?…`, 'u');
  const found = sourceFiles().flatMap(({ path, text }) =>
    scan(text)
      .templates.filter((template) => byHand.test(template))
      .map((template) => `${path}: ${template}`),
  );
  expect(found).toEqual([]);
});

test.for([
  ['npm/10.8.2 node/v20.20.2 linux x64', 'npx --no-install chatform'],
  ['pnpm/9.1.0 npm/? node/v20.20.2', 'pnpm exec chatform'],
  ['yarn/4.5.0 npm/? node/v20.20.2', 'yarn chatform'],
  ['bun/1.1.0 npm/? node/v22', 'bunx --no-install chatform'],
  ['constructor/1', 'chatform'],
  [undefined, 'chatform'],
] as const)('commands have the form in which %s starts chatform', ([agent, form]) => {
  expect(startForm({ npm_config_user_agent: agent }, 'dist/cli/main.js')).toBe(form);
  const typed = typingCommands(form, Object.keys(commands));
  const text =
    'chatform reads it. Run chatform plan, or chatform state list. Not a chatform plan, and @chatform/state.';
  const expected = `chatform reads it. Run ${form} plan, or ${form} state list. Not a chatform plan, and @chatform/state.`;
  expect(typed(text)).toBe(expected);
  expect(typed(typed(text))).toBe(expected);
});

test('the program of a project is started by npx, unless another package manager started it', () => {
  const program = '/project/node_modules/.bin/chatform';
  expect(startForm({}, program)).toBe('npx --no-install chatform');
  expect(startForm({ npm_config_user_agent: 'pnpm/9.1.0' }, program)).toBe('pnpm exec chatform');
  expect(startForm({}, '/usr/local/bin/chatform')).toBe('chatform');
});

const bareCommand = new RegExp(`\\bchatform (?:${Object.keys(commands).join('|')})(?![\\w-])`, 'u');

/** Each file of the views that has commands and does not call `typedText`, and what prints them in the form of the start. */
const typedBy: Readonly<Record<string, string>> = {
  'core/view/reports/calibration.ts': 'printResult',
  // Files for other readers, who start chatform in their own form.
  'core/view/reports/certificate.ts': 'none',
  'core/view/reports/conformance.ts': 'printResult',
  'core/view/reports/conversion.ts': 'none',
  'core/view/reports/migration.ts': 'none',
  // Its callers, the views of runs.
  'core/view/text/platform-advice.ts': 'typedText',
};

test('every view with a command has it printed in the form in which chatform was started', () => {
  const files = sourceFiles().filter(({ path, text }) => {
    const { strings, templates } = scan(text);
    return (
      path.startsWith('core/view/') &&
      !text.includes('typedText(') &&
      [...strings, ...templates].some((one) => bareCommand.test(one))
    );
  });
  expect(files.map(({ path }) => path)).toEqual(Object.keys(typedBy));
});

test('the text of a result has its commands in the form in which chatform was started', () => {
  const pieces: string[] = [];
  const typed = typingCommands('npx --no-install chatform', Object.keys(commands));
  const stdout = { write: (text: string) => void pieces.push(text), isTerminal: false, width: 90 };
  const input = { text: () => undefined };
  const lines = ['Apply it: chatform apply --target settings.application.\n'];
  printResult<'cutover'>(
    input as never,
    { stdout, typed } as never,
    () => ({}) as never,
    () => lines,
  );
  expect(pieces).toEqual(['Apply it: npx --no-install chatform apply --target settings.application.\n']);
});

test('pages and comments have the commands in the form in which chatform was started', () => {
  const typed = typingCommands('npx --no-install chatform', Object.keys(commands));
  const options = { color: false, width: 90, typed };
  const detail = 'Run chatform adopt user.a, then chatform plan.';
  const remark = { severity: 'warning', code: 'plan.exists', summary: 'Exists', detail } as const;
  const plan = { ...emptyPlan, warnings: [remark] };
  const not_compared = [
    { kind: 'messages', attribute: 'history', values: 3, objects: 1, why: 'history' },
    { kind: 'messages', attribute: 'message', values: 3, objects: 1, why: 'in_part', proves: 'last_message' },
  ] as const;
  const compared = {
    ...comparedPlan,
    warnings: [remark],
    refreshed: { objects: 1, requests: 1, compared: 1, not_compared },
  };
  const failed = { address: 'user.a', action: 'create', status: 400, code: 400202, message: detail } as const;
  const report = { ...reports.done, failures: [failed] };
  const pages = {
    ...{ 'plan, html': planAsHtml(plan, { ...options, refusals: [{ ...remark, severity: 'error' }] }) },
    ...{ 'plan, markdown': planAsMarkdown(plan, { ...options, refusals: [{ ...remark, severity: 'error' }] }) },
    ...{ 'report, html': reportAsHtml(report, options), 'report, markdown': reportAsMarkdown(report, options) },
    ...{ 'shortened, html': planAsHtml(manyCreations(3_000), { ...options, maxBytes: 60_000 }) },
    ...{ 'shortened, markdown': planAsMarkdown(manyCreations(3_000), { ...options, maxBytes: 8_192 }) },
    ...{ 'application, html': mapAsHtml(largeMap(10), options) },
    ...{ 'compared, html': planAsHtml(compared, options) },
    ...{ 'compared, markdown': planAsMarkdown(compared, options) },
    ...{ 'compared, human': planForPeople(compared, options) },
  };
  for (const [name, page] of Object.entries(pages)) {
    const text = [...page].join('');
    expect(text, name).toContain('npx --no-install chatform');
    expect(text.replaceAll(/npx --no-install chatform|<title>.*<\/title>/gu, ''), name).not.toMatch(bareCommand);
  }
});
