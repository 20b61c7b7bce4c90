// chatform convert: turns an export of another chat system into manifests, history files and a ledger of every line.

import { join, resolve } from 'node:path';
import { keptPath } from '../../core/app/context/output-files.ts';
import type { ConvertProgress, ConvertResult } from '../../core/model/conversion.ts';
import { commandInterrupted, usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { conversionSources } from '../../core/model/library/options.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import { localPath } from '../../core/model/stores/local-path.ts';
import { sampleForPeople } from '../../core/view/reports/sample.ts';
import { changedLinesInWords } from '../../core/view/text/changed-lines.ts';
import { deadLinksInWords } from '../../core/view/text/dead-links.ts';
import { orderSentences } from '../../core/view/text/export-order.ts';
import { safe } from '../../core/view/text/text.ts';
import { chatformCommand, pathArgument } from '../../lib/tools/pasted-words.ts';
import { plural } from '../../lib/words.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import { colourOption, flagOf, jsonOptions, plainOption } from '../flags/options.ts';
import { showSuccess, summaryLines } from '../output/notices.ts';
import { type CommandEnvironment, obeysEscapes } from '../process/environment.ts';

export const convert: CommandDefinition = {
  name: 'convert',
  arguments: [
    {
      usage: '[source]',
      description: `the system that made the export: ${conversionSources.slice(0, -1).join(', ')} or ${conversionSources.at(-1)}; with --decode, a history file`,
    },
    { usage: '[export...]', description: useCases.convert.exported.text },
  ],
  summary: 'turn an export of another chat system into manifests and history files',
  help: `Examples:
  chatform convert slack export.zip --out-dir chat      manifests, history files, ledger and report
  chatform convert slack export.zip --out-dir chat --strict
  chatform convert slack january.zip --out-dir chat --covers 2024-01-01..2024-01-31
  chatform convert --decode chat/history/*.ndjson   the original data of each message, as NDJSON
  chatform convert table dump.sql --guess --mapping mapping.yaml    write a first mapping, for you to correct
  chatform convert table dump.sql --mapping mapping.yaml --sample 20
  chatform convert table users.csv messages/ --mapping mapping.yaml --out-dir chat
  chatform convert table --from-env DATABASE_URL --mapping mapping.yaml --out-dir chat

Every object and message of the export has a line in the ledger: carried (moved unchanged, times in UTC), changed or left
out, with the reason. The first conversion proposes conversion/decisions.yaml. Edit and commit it, then convert again. A conversion
replaces all files that it generated or none of them; it never touches files that you wrote or edited.

A table is CSV, NDJSON, JSON or a dump of PostgreSQL, MySQL or SQLite. A mapping says which columns become what (chatform schema mapping):
--guess writes a first mapping from the names of tables and columns, and from primary and foreign keys: to the new file of
--mapping, or else to the terminal. --sample shows what the first messages become, with the users, channels, members,
reactions and files that belong to them, and writes nothing. --from-env reads a PostgreSQL or MySQL database directly:
read-only, all tables as of one moment. Where the mapping has since, later conversions read new and changed messages
only, and do not see deleted rows. --full reads all rows.

A later export may cover only some days. Messages of earlier exports that are older than its first message or newer than
its last one are kept. --covers states the times that it covers, so that deletions at the edges are noticed.
Where two exports cover the same time, the one taken later counts, in whatever order they are converted. --taken states
when that was, if the export does not. Without either, an export that lacks edits of an earlier conversion is the older
one. If no edit shows the order, the last conversion counts, and the report says so if the other export is newer.`,
  exits: {
    '': {
      0: 'converted',
      1: 'a file cannot be written, or the database cannot be read',
      3: 'the database refuses the login',
      4: 'something was left out without a decision (--strict), or a user or channel seems to be renamed',
      5: 'a generated file was edited',
      7: 'another conversion writes to the folder',
      64: 'usage',
      65: 'the export, the mapping or the decisions cannot be read',
    },
  },
  options: [
    flagOf(useCases.convert.out),
    flagOf(useCases.convert.covers),
    flagOf(useCases.convert.taken),
    flagOf(useCases.convert.mapping),
    flagOf(useCases.convert.fromEnv),
    flagOf(useCases.convert.full),
    {
      flags: '--sample <rows>',
      description: 'show what the first messages and the rows that belong to them become, and write nothing',
    },
    {
      flags: '--guess',
      description: 'write a first mapping of tables: to the new file of --mapping, or to the terminal',
    },
    flagOf(useCases.convert.identities),
    { flags: '--strict', description: 'exit with 4 if anything was left out without a decision' },
    { flags: '--decode', description: 'print the original data of converted or exported history files' },
    ...jsonOptions,
    colourOption,
    plainOption,
  ],
  schemas: {
    '': 'results#converted',
    '--sample': 'results#sampled',
    '--guess': 'results#guessed',
    '--decode': 'results#decoded',
  },
  run: async (input, environment) => {
    const [{ convertExport, tableSourceName }, { decodeHistoryFiles }, { isForPrograms, printResult }] =
      await Promise.all([
        import('../../migration/convert.ts'),
        import('../../migration/decode-history-files.ts'),
        import('../output/result.ts'),
      ]);
    const { cwd, stdout } = environment;
    if (input.flag('decode')) {
      if (input.args.length === 0) throw usage('No history file was given.', 'Usage: chatform convert --decode FILE');
      const decoded = decodeHistoryFiles(input.args.map((file) => resolve(cwd, file)));
      if (isForPrograms(input)) {
        const messages = [...decoded];
        printResult<'decoded'>(input, environment, () => ({ count: messages.length, messages }));
        return exitCode.done;
      }
      for (const facts of decoded) {
        stdout.write(`${JSON.stringify(facts)}\n`);
        await stdout.room?.();
      }
      return exitCode.done;
    }
    const [source = '', ...places] = input.args;
    const { out, covers, taken, identities, fromEnv, full, ...named } = flagOptions(useCases.convert, input);
    if (!conversionSources.some((name) => name === source.toLowerCase())) {
      throw usage(`"${source}" is not a supported source.`, `Choose one of ${conversionSources.join(', ')}.`);
    }
    const exported = places.map((place) => localPath(place, 'An export'));
    const isTable = source.toLowerCase() === tableSourceName;
    if (!isTable && exported.length !== 1)
      throw usage(
        'Exactly one export is required.',
        `For example: ${chatformCommand('convert', source, 'export.zip')} --out-dir chat`,
      );
    if (isTable && exported.length === 0 && fromEnv === undefined)
      throw usage(
        'At least one file or folder is required.',
        `For example: ${chatformCommand('convert', source, 'users.csv')} --mapping mapping.yaml --out-dir chat. A database is read with --from-env DATABASE_URL instead of files.`,
      );
    const mapping = named.mapping === undefined ? undefined : resolve(cwd, localPath(named.mapping, 'A mapping'));
    if (input.flag('guess')) {
      if (!isTable || exported.length === 0)
        throw usage(
          '--guess is for tables in files.',
          `For example: ${chatformCommand('convert', tableSourceName, 'dump.sql')} --guess --mapping mapping.yaml`,
        );
      const { guessMapping } = await import('../../migration/guess-mapping.ts');
      const text = await guessMapping(
        exported.map((path) => resolve(cwd, path)),
        mapping,
      );
      printResult<'guessed'>(
        input,
        environment,
        () => ({ mapping: text }),
        () =>
          mapping === undefined ? [text] : summaryLines(guessedForPeople(named.mapping ?? '', exported), environment),
      );
      return exitCode.done;
    }
    const rows = input.text('sample');
    if (isTable !== (mapping !== undefined) || (rows !== undefined && !isTable)) {
      throw usage(
        isTable ? '--mapping is required.' : '--mapping and --sample are for tables.',
        'For example: chatform convert table dump.sql --mapping mapping.yaml --out-dir chat',
      );
    }
    let isInterrupted = false;
    const forget = environment.onInterrupt(() => {
      isInterrupted = true;
    });
    const demandWanted = (): void => {
      if (isInterrupted) throw commandInterrupted();
    };
    if (mapping !== undefined && rows !== undefined) {
      if (!/^[1-9]\d{0,3}$/u.test(rows))
        throw usage(`--sample ${rows} is not a number of rows.`, 'For example: --sample 20');
      const options = {
        exported: exported.map((path) => resolve(cwd, path)),
        mapping,
        ...(fromEnv === undefined ? {} : { fromEnv, ports: environment }),
        ...(out === undefined ? {} : { out: keptPath(cwd, out, 'A conversion') }),
      };
      const { sampleTables } = await import('../../migration/sample-tables.ts');
      const sampled = await sampleTables({ ...options, onProgress: demandWanted }, Number(rows)).finally(forget);
      printResult<'sampled'>(
        input,
        environment,
        () => ({ rows: sampled }),
        () => sampleForPeople(sampled),
      );
      return exitCode.done;
    }
    if (out === undefined)
      throw usage(
        '--out-dir is required.',
        `For example: ${chatformCommand('convert', source, ...exported.map(pathArgument), '--out-dir', 'chat')}`,
      );
    const progress = convertProgress(environment);
    const options = {
      source,
      exported: exported.map((path) => resolve(cwd, path)),
      ...(fromEnv === undefined ? {} : { fromEnv }),
      ...(full === undefined ? {} : { full }),
      ...(mapping === undefined ? {} : { mapping }),
      out: keptPath(cwd, out, 'A conversion'),
      ...(covers === undefined ? {} : { covers }),
      ...(taken === undefined ? {} : { taken }),
      ...(identities === undefined ? {} : { identities: resolve(cwd, localPath(identities, 'A list of identities')) }),
      clock: environment.clock,
      ports: environment,
      onProgress: (made: ConvertProgress) => {
        demandWanted();
        if (environment.isQuiet !== true) progress.show(made);
      },
      onInterrupted: (during: 'staging' | 'replacing') => {
        showSuccess(interruptedForPeople(during), environment);
      },
    };
    const result = await convertExport(options).finally(() => {
      forget();
      progress.end();
    });
    printResult<'converted'>(
      input,
      environment,
      () => result,
      () => summaryLines(convertedForPeople(result, out), environment),
    );
    return input.flag('strict') && result.undecided.length > 0 ? exitCode.incomplete : exitCode.done;
  },
};

/** `mapping` is the file as the user wrote it. */
function* guessedForPeople(mapping: string, exported: readonly string[]): Generator<string> {
  yield `Wrote a first mapping to ${safe(mapping)}. Correct what is marked with TODO and check what is marked as guessed, then try it:\n`;
  const paths = exported.map(pathArgument);
  yield `  ${chatformCommand('convert table', ...paths, '--mapping', mapping, '--sample', '20')}\n`;
}

function interruptedForPeople(during: 'staging' | 'replacing'): string {
  return during === 'staging'
    ? 'An earlier conversion into this folder was interrupted before it replaced any file. It begins again.\n'
    : 'An earlier conversion into this folder was interrupted while it replaced its files. They are complete now. Converting again.\n';
}

/** `out` is the folder as the user wrote it. */
function* convertedForPeople(result: ConvertResult, out: string): Generator<string> {
  const { users, channels, messages, outcomes, undecided, no_longer_there: lost } = result;
  const objects = `${plural(users, 'user')}, ${plural(channels, 'channel')} and ${plural(messages, 'message')}`;
  yield `Wrote ${objects} to ${safe(out)}\n`;
  if (result.difference !== undefined)
    yield `Messages since the last conversion: ${changedLinesInWords(result.difference)}.\n`;
  const unread = result.reasons.find(({ code }) => code === 'part.not-read');
  const partOfUnread = unread === undefined ? '' : ` (${unread.count} belong to messages that were not read again)`;
  yield `Lines of the export: ${outcomes.carried} carried, ${outcomes.changed} changed, ${outcomes.left_out} left out${partOfUnread}. See ${safe(join(out, 'conversion/report.md'))}\n`;
  if (result.identities !== undefined) {
    const { matched, missing, unused } = result.identities;
    yield `Identities: ${plural(matched, 'user')} matched, ${missing} without a row, ${plural(unused, 'row')} that match nobody.\n`;
  }
  if (result.older !== undefined) {
    const { newest, superseded } = result.older;
    const time = newest === null ? 'it has no messages' : `its newest message or edit is from ${newest}`;
    yield `! This export is older than one that was converted already: ${time}. Where both cover the same time, the later one counts (${plural(superseded, 'message')} differ). If this one was taken later, convert it again with --taken TIME.\n`;
  }
  for (const sentence of result.assumed_later === undefined ? [] : orderSentences(result.assumed_later))
    yield `! ${sentence}\n`;
  const partial = result.reasons.find(({ code }) => code === 'table.since');
  if (partial !== undefined)
    yield `Read only new and changed rows of ${plural(partial.count, 'table')}. Rows deleted since the last conversion are not seen; --full reads all rows.\n`;
  if (unread !== undefined)
    yield `! Not read: ${plural(unread.count, 'row')} of reactions or files, whose messages were not read again or were left out; --full reads all.\n`;
  if (lost.kept > 0) {
    const why = partial !== undefined ? 'were not read again' : 'are outside the times this export covers';
    yield `Kept ${plural(lost.kept, 'message')} of earlier exports that ${why}.\n`;
  }
  if (lost.gone > 0) {
    yield `! Missing in this export: ${plural(lost.gone, 'message')} of earlier exports. policy.messages.deleted decides what happens to them.\n`;
  }
  const dead = deadLinksInWords(result.attachments);
  if (dead !== '') yield `! ${dead} Copy these files before the messages are sent: chatform convert-files --help\n`;
  for (const { code, count } of undecided) yield `! ${plural(count, 'line')} left out without a decision: ${code}\n`;
  if (undecided.length > 0)
    yield `Record your decision in ${safe(join(out, 'conversion/decisions.yaml'))}, then convert again.\n`;
}

const everyMs = { terminal: 500, plain: 10_000 };

/** Redraws one line on a terminal; elsewhere writes a line now and then. */
function convertProgress(environment: CommandEnvironment): {
  show(progress: ConvertProgress): void;
  end(): void;
} {
  const { stderr, clock } = environment;
  const isRedrawn = obeysEscapes(environment, stderr);
  const started = clock.now();
  let shownAt = started;
  let isShown = false;
  return {
    show: ({ bytes, totalBytes, items }) => {
      const now = clock.now();
      if (now - shownAt < (isRedrawn ? everyMs.terminal : everyMs.plain)) return;
      shownAt = now;
      const seconds = (now - started) / 1000;
      const secondsLeft = bytes === 0 ? 0 : Math.ceil((seconds * Math.max(0, totalBytes - bytes)) / bytes);
      const share = totalBytes === 0 ? 100 : Math.min(100, Math.floor((100 * bytes) / totalBytes));
      const text = `${share} %, ${plural(items, 'line')}, ${Math.round(items / seconds)}/s, ${secondsLeft} s left`;
      stderr.write(isRedrawn ? `\r\u001b[K${text}` : `${text}\n`);
      isShown = true;
    },
    end: () => {
      if (isShown && isRedrawn) stderr.write('\r\u001b[K');
    },
  };
}
