// chatform convert: an export of another chat system as manifests, archives and a ledger of every line.
import { resolve } from 'node:path';
import { exitCode } from '../../model/exit-code.ts';
import { safe, safeJson } from '../../view/text.ts';
import { plural } from '../../view/words.ts';
import { type CommandDefinition, usage } from '../flags/command.ts';
import { colourOption, plainOption } from '../flags/options.ts';

export const convert: CommandDefinition = {
  name: 'convert',
  arguments: [
    { usage: '[source]', description: 'the system that the export comes from; with --decode: an archive' },
    { usage: '[export...]', description: 'a zip file, the folder that it was unpacked to, or a file' },
  ],
  summary: 'turn an export of another chat system into manifests and archives',
  help: `Examples:
  chatform convert slack export.zip --out chat      manifests, archives, conversion/ledger.ndjson and report.md
  chatform convert slack export.zip --out chat --strict
  chatform convert --decode chat/history/*.ndjson   what the source said of each message, as NDJSON

Every object and message of the export has a line in the ledger: carried, changed or left out, and why. The first
conversion proposes conversion/decisions.yaml; edit it, commit it, convert again. Files that a conversion wrote are
replaced at once or not at all; files that people wrote or edited are never touched.

Exit codes: 0 converted, 4 something was left out without a decision (--strict), 5 a generated file was edited,
64 usage, 65 the export or the decisions cannot be read.`,
  options: [
    { flags: '--out <folder>', description: 'where the manifests go' },
    { flags: '--strict', description: 'end with 4 when anything was left out without a decision' },
    { flags: '--decode', description: "print the source's facts of converted or exported archives" },
    { flags: '--format <format>', description: 'how it is told', choices: ['human', 'json'], default: 'human' },
    colourOption,
    plainOption,
  ],
  run: async (input, world) => {
    const { convertExport, decodeArchives, sourceNames } = await import('../../app/convert.ts');
    if (input.flag('decode')) {
      if (input.args.length === 0) throw usage('No archive is given.', 'Write: chatform convert --decode FILE');
      for (const facts of decodeArchives(input.args.map((file) => resolve(world.cwd, file)))) {
        world.stdout.write(`${JSON.stringify(facts)}\n`);
      }
      return exitCode.done;
    }
    const [source = '', exported, ...more] = input.args;
    const out = input.text('out');
    if (!sourceNames.includes(source)) {
      throw usage(`"${source}" is no system that can be converted.`, `There are: ${sourceNames.join(', ')}.`);
    }
    if (exported === undefined || more.length > 0) {
      throw usage('Name one export.', `Write: chatform convert ${source} export.zip --out chat`);
    }
    if (out === undefined)
      throw usage('No folder is given.', `Write: chatform convert ${source} ${exported} --out chat`);
    const result = await convertExport({
      source,
      exported: resolve(world.cwd, exported),
      out: resolve(world.cwd, out),
    });
    if (input.text('format') === 'json') world.stdout.write(`${safeJson({ format_version: '1.0', ...result }, 2)}\n`);
    else {
      const { carried, changed, left_out } = result.outcomes;
      world.stdout.write(
        `Converted ${plural(result.users, 'user')}, ${plural(result.channels, 'channel')} and ${plural(result.messages, 'message')} into ${safe(out)}.\n`,
      );
      world.stdout.write(
        `${carried} carried, ${changed} changed, ${left_out} left out: see ${safe(out)}/conversion/report.md\n`,
      );
      for (const code of result.undecided) world.stdout.write(`! Left out without a decision: ${code}\n`);
    }
    return input.flag('strict') && result.undecided.length > 0 ? exitCode.incomplete : exitCode.done;
  },
};
