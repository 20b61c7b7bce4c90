// Which addresses does a text on the command line mean? One address, or a pattern with * ? [ab] {a,b}.
import { createRequire } from 'node:module';
import type picomatch from 'picomatch';
import { usage } from '../cli/flags/command.ts';
import { Suggestions } from '../manifest/checks/suggest.ts';
import type { Address } from '../model/address.ts';
import type { Target } from '../planner/targets.ts';

/** `what` is how the text was given: `--target`, `ADDRESS`. Refused (64) when it cannot be one. */
export function readTarget(text: string, what: string): Target {
  if (!/^[a-z_*?{},[\]]+\../su.test(text)) {
    throw usage(
      `${what} "${text}" is no address.`,
      'Write it as kind.key: user.alice, group_channel.support-42; or as a pattern: user.support-*, group_channel.*.',
    );
  }
  if (!/[*?[{]/u.test(text)) return { text, matches: (address) => address === text };
  // A slash is a character like any other in a key, and brackets of words are no alternatives.
  const glob = load('picomatch') as typeof picomatch;
  const matches = glob(withoutSlashes(text).replace(/[()|]/gu, '\\$&'), options);
  return { text, matches: (address) => address === text || matches(withoutSlashes(address)) };
}

/** Loaded with the first pattern. */
const load = createRequire(import.meta.url);
const options: picomatch.PicomatchOptions = { dot: true, nonegate: true, noextglob: true, flags: 's' };

/** Refused (64) when some texts mean nothing that is declared or in state. */
export function demandMatched(
  unmatched: readonly string[],
  what: string,
  known: readonly Iterable<{ readonly address: Address }>[],
): void {
  const [first] = unmatched;
  if (first === undefined) return;
  const hint = new Suggestions().sentence(first, addressesOf(known));
  throw usage(
    `${what} ${unmatched.map((text) => `"${text}"`).join(', ')} means no object that is declared or in state.${hint}`,
    'Check the spelling; chatform state list shows what is in state. Nothing was changed.',
  );
}

function* addressesOf(known: readonly Iterable<{ readonly address: Address }>[]): Generator<Address> {
  for (const side of known) for (const { address } of side) yield address;
}

function withoutSlashes(text: string): string {
  return text.replaceAll('/', '\u{e000}');
}
