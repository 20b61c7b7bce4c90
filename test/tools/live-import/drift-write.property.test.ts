// Tests that writing drift makes the manifests match the platform, whatever others changed, and keeps every comment and the
// layout.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyChanges } from '../../../src/core/app/apply.ts';
import { loadDeclared } from '../../../src/core/app/opening/load-declared.ts';
import { planChanges } from '../../../src/core/app/plan.ts';
import { Problems, SourceText } from '../../../src/core/manifest/problems/problems.ts';
import { blockNode, manifestText, objectsNode } from '../../../src/core/manifest/write/block-text.ts';
import { commentsOf, formatManifest } from '../../../src/core/manifest/write/format.ts';
import { keyOf, kindOf } from '../../../src/core/model/address.ts';
import { hasErrors } from '../../../src/core/model/diagnostic.ts';
import { type ApiRequest, requestPath, requestQuery } from '../../../src/core/model/request.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/server.ts';
import { writeDrift } from '../../../src/tools/live-import/drift-write.ts';
import { testPorts } from '../../core/app/support/ports.ts';
import { type Edit, edits, perform } from '../../core/refresh/support/edits.ts';
import { estate } from '../../support/planning/arbitrary-estates.ts';
import { inSuite } from '../../support/suite.ts';

const format = (text: string) => formatManifest(new SourceText('chat.yaml', text), registry, new Problems());

/** The estate as plain blocks in the layout of fmt. */
function textOf(estate: readonly Resource[]): string {
  const sections = registry.flatMap(({ name, section, onlyKey }) => {
    const own = estate.filter(({ address }) => kindOf(address) === name);
    const [only] = own;
    if (only === undefined) return [];
    const node =
      onlyKey === undefined
        ? objectsNode(own.map(({ address, attributes }) => [keyOf(address), attributes] as const))
        : blockNode(only.attributes);
    return [[section, node] as const];
  });
  return manifestText(sections, registry);
}

/** Adds comments beside and between the lines with the given numbers. */
function commented(text: string, places: readonly number[]): string {
  const lines = text.trimEnd().split('\n');
  for (const [number, place] of places.entries()) {
    const at = 1 + (place % (lines.length - 1 || 1));
    const line = lines[at] ?? '';
    const indent = /^ */u.exec(line)?.[0] ?? '';
    if (place % 2 === 0 && !line.includes('#')) lines[at] = `${line} # beside ${number}`;
    else lines.splice(at, 0, `${indent}# above ${number}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The same objects in brackets, which are edited differently from lines. */
function jsonOf(text: string): string {
  return `${JSON.stringify(parse(text, { schema: 'failsafe' }), (_key, value: unknown) => scalarOf(value), 2)}\n`;
}

/** The failsafe schema keeps ids such as 007 as texts. */
function scalarOf(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  return value === '1' ? 1 : value === '' ? null : value;
}

/** Drift needs a state with objects. A list of addresses would lock out the test, and has to be acknowledged. */
const isUsable = (all: readonly Resource[]) =>
  all.some(({ address }) => kindOf(address) !== 'settings') &&
  all.every(({ attributes }) => attributes.ip_whitelist === undefined);
const cases = fc.tuple(estate.filter(isUsable), edits, fc.array(fc.nat(1000), { maxLength: 12 }), fc.boolean());

test('makes the manifests match the platform, and keeps comments and layout', async () => {
  await fc.assert(
    fc.asyncProperty(fc.noShrink(cases), async ([declared, deeds, places, isJson]) => {
      const lines = textOf(declared);
      const before = isJson ? jsonOf(lines) : commented(lines, places);
      const ports = await testPorts({ 'chat.yaml': before });
      // Some estates have ids that no manifest may contain, or attributes that cannot be combined.
      if (hasErrors((await loadDeclared([], ports)).diagnostics)) return;
      const running = await startEmulator({ rateLimits: false });
      try {
        const names = Array.from(lines.matchAll(/env: (\w+)/gu), ([, name]) => [`CHATFORM_VAR_${name}`, 'code']);
        Object.assign(ports.env, { CHATFORM_API_TOKEN: running.token, ...Object.fromEntries(names) });
        const options = { paths: [], baseUrl: running.url, ratePlan: '100k_mau' };
        const { report } = await applyChanges({ ...options, tokensOut: 'tokens.ndjson' }, ports);
        expect(report.exit_code).toBe(0);
        editAsOthers(running, declared, deeds);
        const { left } = await writeDrift(options, ports);
        const after = await readFile(join(ports.cwd, 'chat.yaml'), 'utf8');
        expect(commentsOf(after)).toBe(commentsOf(before));
        if (format(before) === before) expect(format(after)).toBe(after);
        expect(left.filter(({ note }) => note.startsWith('After the edit'))).toEqual([]);
        const { plan } = await planChanges({ ...options, refresh: 'all' }, ports);
        const named = new Set(left.map(({ address }) => address));
        // A user may be reopened for an object that is created again. That changes no attribute.
        const sent = [...plan.changes].filter(
          ({ requests, attributes }) => requests.length > 0 && attributes.length > 0,
        );
        expect(sent.filter(({ address }) => !named.has(address))).toEqual([]);
      } finally {
        await running.close();
      }
    }),
    { numRuns: inSuite(3, 20) },
  );
});

function editAsOthers(running: RunningEmulator, declared: readonly Resource[], deeds: readonly Edit[]): void {
  const state = new Map(declared.map(({ address }) => [address, undefined]));
  const answer = (request: ApiRequest) =>
    running.platform.handle(
      {
        method: request.method,
        path: `/v3${requestPath(request)}`,
        query: requestQuery(request),
        headers: { 'api-token': running.token },
        body: request.body === undefined ? { type: 'none' } : { type: 'json', value: request.body },
      },
      Date.now(),
    );
  for (const deed of deeds) perform({ state, answer }, deed);
}
