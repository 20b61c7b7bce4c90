// Writes the file of --events: one JSON line for each event, as it happens.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, truncate } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { demandReplaceable, unwritable } from '../../core/app/context/output-files.ts';
import type { ApplyEvent } from '../../core/model/event.ts';
import type { Clock } from '../../core/model/ports.ts';
import { eventLine } from '../../core/view/json/diagnostics.ts';
import { isStream, openStream } from '../../lib/output-streams.ts';
import type { Output } from '../process/environment.ts';

export interface EventFile {
  take(event: ApplyEvent): void;
  close(): Promise<void>;
}

/** When the file is closed, `stderr` gets a line if events are missing in it. */
export async function openEventFile(
  file: string,
  { cwd, stderr }: { readonly cwd: string; readonly stderr: Pick<Output, 'write'> },
  clock: Clock,
): Promise<EventFile> {
  const stream = await opened(await demandReplaceable('events', cwd, file), file);
  let failure: Error | undefined;
  // Events are optional: a disk that fills up later must not end the run.
  stream.on('error', (error) => {
    failure ??= error;
  });
  return {
    take: (event) => void stream.write(eventLine(event, clock.date().toISOString())),
    close: async () => {
      await new Promise<void>((done) => void stream.end(() => done()));
      if (failure !== undefined)
        stderr.write(`warning: events are missing in ${file}, which could not be written: ${failure.message}\n`);
    },
  };
}

/** Truncates the file even if the command is refused or has nothing to do, so that no old events remain. */
export async function emptyEventFile(file: string, cwd: string): Promise<void> {
  const path = await demandReplaceable('events', cwd, file);
  if (!(await isStream(path))) await truncate(path).catch(() => undefined);
}

async function opened(path: string, file: string): Promise<Writable> {
  let stream: Writable;
  try {
    stream = (await isStream(path)) ? await openStream(path) : await openedFile(path);
  } catch (cause) {
    throw unwritable(file, cause);
  }
  return stream;
}

async function openedFile(path: string): Promise<Writable> {
  const stream = createWriteStream(path, { mode: 0o600 });
  await once(stream, 'open');
  // A file that was there may have been readable by others.
  await chmod(path, 0o600).catch(() => undefined);
  return stream;
}
