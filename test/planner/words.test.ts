// Tests that only named files of the planner contain words, and proves the check by planted violations. The reasons of changes
// have a type without words.
import { expect, test } from 'vitest';
import { type SourceFile, scan, sourceFiles } from '../support/source-files.ts';

/** A text with at least three words. What a template computes counts as a word, but two words must be literal. */
const phrase = /(?=.*\p{Ll}{2}.* .*\p{Ll}{2})(?:^|[^\p{L}])[\p{L}…]+(?:[,:;]? \(?[\p{L}…]+){2}/u;

/** Files whose diagnostics and refusals have a code with a message and advice (semantics §9.3). */
const diagnostics = [
  'diff/adoption.ts',
  'diff/diff.ts',
  'diff/expiry.ts',
  'diff/related-objects.ts',
  'diff/retirement.ts',
  'drift-plan.ts',
  'judges/acknowledgements.ts',
  'judges/budgets.ts',
  'judges/channel-limit.ts',
  'judges/protection.ts',
  'judges/shrink-guard.ts',
  'live/exclusive-lists.ts',
  'live/observed-state.ts',
  'notes.ts',
  'plan-file/reader.ts',
  'targets.ts',
];
/** Files with notes of changes, which kinds add to as texts, too. Notes are texts in the plan's schema. */
const notesOfChanges = [
  'attribution.ts',
  'changes.ts',
  'diff/adoption.ts',
  'diff/deleted-people.ts',
  'diff/diff.ts',
  'diff/object-draft.ts',
  'diff/retirement.ts',
  'live/observed-state.ts',
  'renames.ts',
  'targets.ts',
];
/** Files with notes of drift, which are texts in the plan's schema. */
const notesOfDrift = ['live/drift.ts', 'repair.ts'];
/** Files with errors of the program itself. */
const internalErrors = ['diff/record-step.ts', 'order/steps.ts', 'plan.ts'];

const withWords = [...new Set([...diagnostics, ...notesOfChanges, ...notesOfDrift, ...internalErrors])].sort();

function filesWithPhrases(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    if (!path.startsWith('planner/')) return [];
    const { strings, templates } = scan(text);
    return [...strings, ...templates].some((literal) => phrase.test(literal)) ? [path.replace('planner/', '')] : [];
  });
}

test('only the named files of the planner contain phrases', () => {
  expect(filesWithPhrases(sourceFiles())).toEqual(withWords);
});

/** Each … is computed. */
const planted = (text: string): SourceFile[] => [{ path: 'planner/a.ts', text: text.replaceAll('…', `\${x}`) }];

test.for([
  "const reason = 'gone from the platform';",
  'const note = `… edited since the last apply`;',
  'const note = `run … is taken back`;',
  'const note = `… was changed`;',
  'const detail = "The plan is partial.";',
])('finds the phrase in %s', (text) => {
  expect(filesWithPhrases(planted(text))).toEqual(['a.ts']);
});

test.for([
  "// Comments are sentences.\nconst code = 'not_in_state';",
  "type Names = Pick<Plan, 'changes' | 'steps'>; const key = `… … …`;",
  "import { a } from '../lib/a.ts'; const effect = 'user.deactivate';",
])('finds no phrase in %s', (text) => {
  expect(filesWithPhrases(planted(text))).toEqual([]);
});
