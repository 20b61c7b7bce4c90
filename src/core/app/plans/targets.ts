// Reads targets and exclusions: an address, or a glob with * ? [ab] {a,b}.
import { globMatcher } from '../../../lib/patterns/glob.ts';
import { Suggestions } from '../../../lib/suggestions.ts';
import type { Address } from '../../model/address.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Selection, TargetPattern, TargetPatterns } from '../../planner/targets.ts';

/** Undefined if the selection is everything. Refused (64) for an invalid pattern. */
export function readSelection({ targets = [], excluded = [] }: Selection): TargetPatterns | undefined {
  if (targets.length === 0 && excluded.length === 0) return undefined;
  return {
    targets: targets.map((text) => readTarget(text, '--target')),
    excluded: excluded.map((text) => readTarget(text, '--exclude')),
  };
}

/** `what` names the source of the text, `--target` or `ADDRESS`. Refused (64) for an invalid target. */
export function readTarget(text: string, what: string): TargetPattern {
  if (!/^[a-z_*?{},[\]]+\../su.test(text)) {
    throw usage(
      `${what} "${text}" is not an address or a pattern of addresses.`,
      'Write it as kind.key (user.alice, group_channel.support-42) or as a pattern (user.support-*, group_channel.*, *.* for everything).',
    );
  }
  if (!/[*?[{]/u.test(text)) return { text, isPattern: false, matches: (address) => address === text };
  if (escapesAll.test(text)) {
    const literal = text.replaceAll(/\\(.)/gsu, '$1');
    return { text: literal, isPattern: false, matches: (address) => address === literal };
  }
  let matches: (address: string) => boolean;
  try {
    matches = globMatcher(text, 'text');
  } catch (error) {
    throw usage(
      `${what} "${text}" is not a valid pattern.`,
      `${error instanceof Error ? error.message : 'Shorten it'}.`,
    );
  }
  return { text, isPattern: true, matches: (address) => address === text || matches(address) };
}

/** A pattern for one address, as messages suggest it: each character of a glob has a backslash. */
const escapesAll = /^(?:[^\\*?[{]|\\.)*$/su;

/** Refused when texts match nothing declared or in state: (66) for the arguments ADDRESS, (64) for a flag. `suggestionSources` has the addresses to suggest. */
export function demandMatched(unmatched: readonly string[], what: string, suggestionSources: readonly Known[]): void {
  if (unmatched.length > 0) throw meansNothing(unmatched, what, suggestionSources);
}

export function meansNothing(texts: readonly string[], what: string, suggestionSources: readonly Known[]): Refusal {
  const hint = new Suggestions().sentence(texts[0] ?? '', addressesOf(suggestionSources));
  return new Refusal(
    'address.unknown',
    what === 'ADDRESS' ? exitCode.notFound : exitCode.usage,
    `${what} ${texts.map((text) => `"${text}"`).join(', ')} matches nothing declared or in state.${hint}`,
    'Nothing was changed. Check the spelling, or run chatform state list to see what is in state.',
  );
}

type Known = Iterable<{ readonly address: Address }>;

function* addressesOf(suggestionSources: readonly Known[]): Generator<Address> {
  for (const side of suggestionSources) for (const { address } of side) yield address;
}
