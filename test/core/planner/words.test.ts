// Tests that the planner contains no sentence for people, and proves the check by planted violations. Reasons, notes and problems
// are codes with data, which `view` words.
import { expect, test } from 'vitest';
import { type SourceFile, scan, sourceFiles } from '../../support/source-files.ts';

/** A text with at least three words. What a template computes counts as a word, but two words must be literal. */
const phrase = /(?=.*\p{Ll}{2}.* .*\p{Ll}{2})(?:^|[^\p{L}])[\p{L}…]+(?:[,:;]? \(?[\p{L}…]+){2}/u;

/** The refusals of a plan file that cannot be read, which have a code. No plan exists then. */
const exempt = ['core/planner/plan-file/reader.ts'];

/** The text of a bug report, which no user is meant to see. */
const internalError = /new InternalError\((?:`[^`]*`|'[^']*')\)/gu;

function phrasesIn(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    if (!path.startsWith('planner/') || exempt.includes(path)) return [];
    const { strings, templates } = scan(text.replace(internalError, 'new InternalError()'));
    return [...strings, ...templates].filter((literal) => phrase.test(literal)).map((literal) => `${path}: ${literal}`);
  });
}

test('the planner contains no phrase', () => {
  expect(phrasesIn(sourceFiles())).toEqual([]);
});

test('every exempt file needs its exemption', () => {
  const files = sourceFiles().filter(({ path }) => exempt.includes(path));
  const elsewhere = files.map((file) => ({ ...file, path: 'planner/a.ts' }));
  expect(files).toHaveLength(exempt.length);
  for (const file of elsewhere) expect(phrasesIn([file])).not.toEqual([]);
});

/** Each … is computed. */
const planted = (text: string): SourceFile[] => [{ path: 'planner/a.ts', text: text.replaceAll('…', `\${x}`) }];

test.for([
  "const reason = 'gone from the platform';",
  'const note = `… edited since the last apply`;',
  'const note = `run … is taken back`;',
  'const note = `… was changed`;',
  'const detail = "The plan is partial.";',
  "return [{ code: 'of_kind', text: 'exists already and stays' }];",
  "throw new InternalError(`no step`); const note = 'looks like a rename';",
])('finds the phrase in %s', (text) => {
  expect(phrasesIn(planted(text))).toHaveLength(1);
});

test.for([
  "// Comments are sentences.\nconst code = 'not_in_state';",
  'throw new InternalError(`… has no step that sets …`);',
  "type Names = Pick<Plan, 'changes' | 'steps'>; const key = `… … …`;",
  "import { a } from '../lib/a.ts'; const effect = 'user.deactivate';",
])('finds no phrase in %s', (text) => {
  expect(phrasesIn(planted(text))).toEqual([]);
});
