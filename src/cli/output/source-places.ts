// Maps the stack trace of a bug from the bundles to the sources.
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packaged } from '../../tools/package-files.ts';

/** Rewrites the stacks of the error and its causes. Places without a source map stay as they are. */
export function nameSources(error: Error): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (bundle: string): SourceMap | undefined => {
    if (!maps.has(bundle)) maps.set(bundle, readMap(bundle));
    return maps.get(bundle);
  };
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause.stack === undefined) continue;
    cause.stack = cause.stack.replaceAll(/(file:\/\/\S+\.js):(\d+):(\d+)/gu, (place, bundle: string, line, column) => {
      const found = mapOf(bundle)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (found === undefined || !('originalSource' in found)) return place;
      const source = fileURLToPath(new URL(found.originalSource, bundle));
      const path = relative(fileURLToPath(packaged('')), source);
      return `${path}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    });
  }
}

function readMap(bundle: string): SourceMap | undefined {
  try {
    const text = readFileSync(new URL(`${bundle}.map`), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    // Without source maps, or when run from the sources, the trace stays as it is.
    return undefined;
  }
}
