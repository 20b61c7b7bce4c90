// Tests output against the published schemas, and the envelope at its limits.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choices } from '../../../src/migration/convert/decision-checks.ts';
import { readDecisions } from '../../../src/migration/convert/decisions.ts';
import { decodeLines, encodeEnvelope, maxEnvelope } from '../../../src/migration/convert/envelope.ts';
import type { MessageFacts } from '../../../src/migration/convert/export/items.ts';
import { reasonCodes, reasons } from '../../../src/migration/convert/export/reasons.ts';
import { mattermost } from '../../../src/migration/convert/sources/mattermost/mattermost.ts';
import { slack } from '../../../src/migration/convert/sources/slack/slack.ts';
import { closedSchema, publishedSchema, schemaOf } from '../../support/published-schema.ts';
import { sample as slackSample } from './sources/slack/sample.ts';
import { convertFiles } from './support/converted.ts';
import { draft } from './support/drafts.ts';

const checkEnvelope = closedSchema('envelope');
const checkLedgerLine = publishedSchema('ledger');
const checkDecisions = publishedSchema('decisions');

test('writes envelopes and ledger lines that fit their schemas', async () => {
  const [drafted] = fc.sample(
    draft.filter(({ messages }) => messages.length > 10),
    { numRuns: 1, seed: 3 },
  );
  const { ledger, historyFiles } = await convertFiles(
    'slack',
    slackSample.make(drafted as typeof drafted & object).files,
  );
  const envelopes = Object.values(historyFiles).flatMap((lines) =>
    lines.map(({ data, custom_field }) => JSON.parse(String(data ?? custom_field))),
  );
  expect(envelopes.length).toBeGreaterThan(10);
  for (const envelope of envelopes) expect(checkEnvelope(envelope)).toEqual([]);
  for (const line of ledger) expect(checkLedgerLine(line)).toEqual([]);
});

const facts: MessageFacts = { id: 'slack:C1:1.2', sender: 'U1', time: 1, text: 'raw' };

function decoded(
  found: MessageFacts,
  texts: readonly string[],
): { readonly isCut: boolean; readonly facts: MessageFacts[] } {
  const shown = { sender: 'U1', time: 1, text: texts.join('') };
  const { envelopes, isCut } = encodeEnvelope(found, shown, texts.length);
  for (const envelope of envelopes) {
    expect(envelope.length).toBeLessThanOrEqual(maxEnvelope);
    expect(checkEnvelope(JSON.parse(envelope))).toEqual([]);
  }
  const lines = envelopes.map((data, place) => ({
    message_type: 'MESG',
    timestamp: 1,
    user_id: 'U1',
    message: texts[place] ?? '',
    data,
  }));
  return { isCut, facts: [...decodeLines(lines)] };
}

describe('the envelope', () => {
  test('leaves out what the message shows', () => {
    const { envelopes } = encodeEnvelope(facts, { sender: 'U1', time: 1, text: 'raw' }, 1);
    expect(envelopes).toEqual(['{"chatform":1,"id":"slack:C1:1.2"}']);
  });

  test('spreads long facts over the parts of a long message', () => {
    const long = { ...facts, text: '<@U1> "quoted" \\ '.repeat(1500) };
    const texts = Array.from({ length: 8 }, (_none, number) => `part ${number}`);
    expect(decoded(long, texts)).toEqual({ isCut: false, facts: [long] });
  });

  test('drops facts that do not fit, names them, and keeps the rest', () => {
    const huge = { ...facts, thread: '1.1', more: { blocks: 'x'.repeat(20_000) } };
    const { isCut, facts: found } = decoded(huge, ['shown']);
    expect(isCut).toBe(true);
    expect(found).toEqual([{ ...facts, thread: '1.1', dropped: ['more'] }]);
  });
});

describe('decisions', () => {
  test('fit the schema as chatform proposes them', async () => {
    const renamed = [{ kind: 'users', id: 'annika', was: 'ann', evidence: '1 of 1' } as const];
    const proposals = {
      userIds: [['U1', 'U1']] as const,
      channelUrls: [],
      undecided: ['object.broken'] as const,
      renamed,
      unknownFields: [{ kind: 'message', name: 'own_field', rows: 2, decision: 'undecided' } as const],
    };
    const text = readDecisions(undefined, mattermost).withProposals(proposals) ?? '';
    const { parse } = await import('yaml');
    expect(checkDecisions(parse(text))).toEqual([]);
    const again = readDecisions(text, mattermost);
    expect(again.problems).toEqual([]);
    expect(again.withProposals(proposals)).toBeUndefined();
    expect(again.decisions.user_ids.get('U1')).toBe('U1');
    expect(again.decisions.renamed.users.get('annika')).toEqual({ was: 'ann', same: 'undecided' });
  });

  test('have the same choices in reader and schema', () => {
    for (const [group, names] of Object.entries(choices)) {
      for (const [name, values] of Object.entries(names)) {
        for (const value of [...values, 'other', '']) {
          const text = `format_version: 1\nsource: slack\n${group}: { ${name}: "${value}" }\n`;
          const fits = checkDecisions({ format_version: 1, source: 'slack', [group]: { [name]: value } }).length === 0;
          expect([text, readDecisions(text, slack).problems.length === 0]).toEqual([text, fits]);
        }
      }
    }
  });
});

test('has every reason in the schema of the ledger and in schema/diagnostics.md', () => {
  const names = (
    schemaOf('ledger') as { readonly properties: { readonly reason: { readonly enum: readonly string[] } } }
  ).properties.reason.enum;
  expect(names).toEqual(reasonCodes);
  const page = readFileSync(new URL('../../../schema/diagnostics.md', import.meta.url), 'utf8');
  for (const code of reasonCodes) {
    const { summary, advice, outcome } = reasons[code];
    expect(page).toContain(`| \`${code}\` | ${summary} | ${advice} | \`"outcome": "${outcome}"\` |`);
  }
});

test('says what happened and what to do in every reason', () => {
  for (const code of reasonCodes) {
    expect(code).toMatch(/^[a-z]+\.[a-z-]+$/u);
    expect(reasons[code].summary).toMatch(/^[A-Z].*\.$/u);
    expect(reasons[code].advice).toMatch(/^[A-Z].*\.$/u);
  }
});
