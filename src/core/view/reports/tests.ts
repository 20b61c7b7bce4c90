// Shows the results of tests: lines with a diff for people, and JUnit for CI.
import { diffArrays } from 'diff';
import { plural } from '../../../lib/words.ts';
import type { TestFailure, TestReport, TestResult } from '../../model/report.ts';
import { printPosition } from '../../model/source.ts';
import { safe, safeLines } from '../text/text.ts';

/** One test, as soon as it has ended. */
export function testForPeople({ name, source, failures }: TestResult): string {
  if (failures.length === 0) return `  ok    ${safe(name)}\n`;
  const lines = [`  FAIL  ${safe(name)}`, `        ${safe(printPosition(source))}`];
  for (const failure of failures) lines.push(...linesOfFailure(failure).map((line) => `        ${line}`));
  return `${lines.join('\n')}\n`;
}

export function totalsForPeople({ tests }: TestReport): string {
  const failed = tests.filter(({ failures }) => failures.length > 0).length;
  const seconds = tests.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  const verdict =
    failed === 0 ? `${plural(tests.length, 'test')} passed` : `${failed} of ${plural(tests.length, 'test')} failed`;
  // Durations are shown only for slow runs.
  return seconds < 10 ? `${verdict}.\n` : `${verdict}, in ${seconds.toFixed(0)} s.\n`;
}

/** Expected lines that are missing have a minus, unexpected lines a plus. */
function linesOfFailure({ what, expected, actual }: TestFailure): string[] {
  const lines = diffArrays(safeLines(expected), safeLines(actual)).flatMap(({ value, added, removed }) =>
    value.map((line) => `  ${added ? '+' : removed ? '-' : ' '} ${line}`),
  );
  return [`${safe(what)}  (- expected, + found)`, ...lines];
}

/** JUnit XML, which CI systems read. Times are in seconds. */
export function testsAsJunit({ tests }: TestReport): string {
  const failed = tests.filter(({ failures }) => failures.length > 0).length;
  const total = seconds(tests.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const files = [...new Set(tests.map(({ source }) => source.file))];
  const suites = files.map((file) =>
    suite(
      file,
      tests.filter(({ source }) => source.file === file),
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="chatform" tests="${tests.length}" failures="${failed}" errors="0" time="${total}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: string, tests: readonly TestResult[]): string {
  const failed = tests.filter(({ failures }) => failures.length > 0).length;
  const time = seconds(tests.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const cases = tests.map((test) => {
    const open = `    <testcase name="${xml(test.name)}" classname="${xml(file)}" file="${xml(file)}" line="${test.source.line}" time="${seconds(test.durationMs)}"`;
    if (test.failures.length === 0) return `${open}/>`;
    const failures = test.failures.map((failure) => {
      const text = linesOfFailure(failure).map(xml).join('\n');
      return `      <failure message="${xml(failure.what)}" type="expectation">${text}</failure>`;
    });
    return [`${open}>`, ...failures, '    </testcase>'].join('\n');
  });
  const head = `  <testsuite name="${xml(file)}" tests="${tests.length}" failures="${failed}" errors="0" skipped="0" time="${time}">`;
  return [head, ...cases, '  </testsuite>'].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function xml(text: string): string {
  return safe(text).replace(/[&<>"']/gu, (sign) => entities[sign] ?? sign);
}
