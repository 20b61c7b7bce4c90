// Finds and runs the tests of manifests: `*.test.yaml`, offline, on a simulated platform.

import type { Ports } from '../../core/app/context/ports.ts';
import { disk } from '../../core/manifest/files/access.ts';
import { discover } from '../../core/manifest/files/discover.ts';
import { Problems } from '../../core/manifest/problems/problems.ts';
import { Refusal, usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import type { TestReport, TestResult } from '../../core/model/report.ts';
import { readTests, type TestCase } from './testing/read-tests.ts';
import { runTest } from './testing/run-test.ts';

export interface TestRunOptions {
  /** Files or folders. Default: the working folder. */
  readonly paths: readonly string[];
  /** Runs only tests whose name contains this text. */
  readonly name?: string | undefined;
  readonly passWithNoTests?: boolean | undefined;
  readonly onResult?: (result: TestResult) => void;
}

/** Refused when a test file is invalid (65) or no test is found (64), unless there may be none. */
export async function runTests(
  { paths, name, passWithNoTests = false, onResult }: TestRunOptions,
  ports: Ports,
): Promise<TestReport> {
  const problems = new Problems();
  const files = await discover(paths, ports.cwd, disk, problems, 'tests');
  const cases: TestCase[] = [];
  for (const file of files) cases.push(...(await readTests(file, problems)));
  if (problems.errors > 0) {
    throw new Refusal(
      'test.invalid',
      exitCode.invalid,
      'The tests are not valid.',
      'No test was run. Fix the problems listed above.',
      {
        diagnostics: problems.sorted(),
      },
    );
  }
  const chosen = cases.filter((test) => name === undefined || test.name.includes(name));
  if (chosen.length === 0 && !(passWithNoTests && cases.length === 0)) {
    throw usage(
      name === undefined ? 'No tests were found.' : `No test name contains "${name}".`,
      'Tests are files whose names end in .test.yaml; chatform init writes one.',
    );
  }
  const tests: TestResult[] = [];
  for (const test of chosen) {
    const begun = ports.clock.now();
    const failures = await runTest(test, ports);
    const result = {
      name: test.name,
      source: test.source,
      failures,
      durationMs: Math.round(ports.clock.now() - begun),
    };
    tests.push(result);
    onResult?.(result);
  }
  return { format_version: '1.0', tests };
}
