// chatform convert-files: copies the files of a converted export to permanent storage, and writes the map of their URLs.
import { join } from 'node:path';
import { usage } from '../../core/model/errors.ts';
import { useCases } from '../../core/model/library/use-cases.ts';
import type { CopiedFiles } from '../../core/model/report.ts';
import { safe } from '../../core/view/text/text.ts';
import { plural, printNumber } from '../../lib/words.ts';
import type { CommandDefinition } from '../flags/command.ts';
import { flagOptions } from '../flags/command-input.ts';
import { colourOption, flagsOf, jsonOptions, plainOption } from '../flags/options.ts';
import { summaryLines } from '../output/notices.ts';
import { obeysEscapes } from '../process/environment.ts';

/** The maximum number of failures to list. */
const maxListed = 20;

export const convertFiles: CommandDefinition = {
  name: 'convert-files',
  arguments: [
    { usage: '[source]', description: 'the system that made the export, as for convert; not table' },
    {
      usage: '[export...]',
      description: useCases.copyFiles.exported.text,
    },
  ],
  summary: 'copy the files of a converted export and map their URLs',
  help: `Examples:
  chatform convert-files slack export.zip --out-dir chat --to ./files --public-url https://cdn.example.com/chat
  chatform convert-files slack export.zip --out-dir chat --to s3://acme-chat/files --public-url https://cdn.example.com/chat
  chatform convert-files slack export.zip --out-dir chat --to ./files --public-url https://cdn.example.com/chat --header-from files.slack.com=SLACK_HEADER

Run it between convert and the first apply, then convert again: the URL of a message that was sent cannot be changed
later. It copies the files of all messages of the conversion in --out-dir: files contained in the export, and over https the
files on the hosts that --fetch and --header-from name, through the proxy in HTTPS_PROXY if there is one. No other host is contacted. Files that only an earlier export of
a series contains are counted by its name: run the command again with that export. --header-from
files.slack.com=SLACK_HEADER sends the header in the variable SLACK_HEADER, such as "Authorization: Bearer xoxp-…", to
that host alone, not along redirects to others.

A copy is named after the SHA-256 of its bytes, so only somebody who has its URL or the file can find it. The map of URLs
is conversion/file-urls.ndjson. Commit it: convert gives messages these URLs. After a failure or a kill, run the command
again: files that were copied are not fetched twice.

The files of tables are not copied. Copy them yourself, write {"from": …, "to": URL} for each to conversion/file-urls.ndjson,
with the value of "from" in conversion/files.ndjson, and convert again.`,
  exits: {
    '': {
      0: 'done',
      1: 'a copy cannot be written',
      4: 'some files could not be copied',
      8: 'interrupted',
      64: 'usage',
      65: 'the export or the conversion cannot be read',
    },
  },
  options: [...flagsOf(useCases.copyFiles), ...jsonOptions, colourOption, plainOption],
  schemas: { '': 'results#convert_files' },
  run: async (input, environment) => {
    const [source, exported, ...more] = input.args;
    const example =
      'For example: chatform convert-files slack export.zip --out-dir chat --to ./files --public-url https://cdn.example.com';
    if (source === undefined || exported === undefined || more.length > 0)
      throw usage('A source and exactly one export are required.', example);
    const required = (name: string): string => {
      const value = input.text(name);
      if (value === undefined) throw usage(`--${name} is required.`, example);
      return value;
    };
    const out = required('out-dir');
    const { fetch = [], headersFrom = [], maxBytes } = flagOptions(useCases.copyFiles, input);
    const [{ copyFiles }, { portsOf }, { printResult }] = await Promise.all([
      import('../../migration/files.ts'),
      import('../output/ports.ts'),
      import('../output/result.ts'),
    ]);
    const { stderr } = environment;
    const to = required('to');
    const redraw = (text: string): void => {
      if (environment.isQuiet !== true && obeysEscapes(environment, stderr)) stderr.write(`\r\u001b[K${text}`);
    };
    const result = await copyFiles(
      {
        source,
        exported,
        out,
        to,
        publicUrl: required('public-url'),
        fetch,
        headersFrom,
        maxBytes,
        onProgress: (done, of) => redraw(`${done} of ${plural(of, 'file')}`),
      },
      portsOf(input, environment),
    ).finally(() => redraw(''));
    printResult<'convert_files'>(
      input,
      environment,
      () => result,
      () => summaryLines(copiedForPeople(result, to, out), environment),
    );
    return result.exit_code;
  },
};

/** `to` and `out` as the user wrote them. */
function* copiedForPeople(result: CopiedFiles, to: string, out: string): Generator<string> {
  const { copied, bytes, present, failed, unfetched, elsewhere } = result;
  if (copied + present + failed.length + unfetched.length + elsewhere.length === 0) {
    yield 'No message of the conversion has a file to copy.\n';
    return;
  }
  yield `Copied ${plural(copied, 'file')} (${printNumber(bytes)} bytes) to ${safe(to)}. ${printNumber(present)} were there already.\n`;
  for (const { from, reason } of failed.slice(0, maxListed)) yield `! Not copied: ${safe(from)}: ${safe(reason)}.\n`;
  if (failed.length > maxListed) yield `! Not copied: ${plural(failed.length - maxListed, 'more file')}.\n`;
  for (const { host, files: count } of unfetched)
    yield `! ${plural(count, 'file')} at ${safe(host)} not fetched. Add --fetch ${safe(host)}, or --header-from ${safe(host)}=VARIABLE.\n`;
  for (const { export: name, files: count } of elsewhere)
    yield `! ${plural(count, 'file')} of the export ${safe(name)} not copied, because this export does not contain them. Run the command with that export.\n`;
  if (copied + present > 0)
    yield `Convert again, so that messages have the URLs in ${safe(join(out, 'conversion/file-urls.ndjson'))}.\n`;
}
