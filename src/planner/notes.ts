// Notes on a plan as a whole.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { tokensNote } from '../model/plan.ts';
import type { RemovedEntry } from '../model/resource.ts';

/** A note on an entry of `removed` whose object is in neither the manifests nor state. */
export function unknownRemovalNote({ address, source }: RemovedEntry): Diagnostic {
  return {
    severity: 'note',
    code: 'plan.removed-unknown',
    summary: 'A removed object is not in state',
    detail: `${address} is listed under removed, but it is not in state, so nothing is done. You can delete the entry.`,
    address,
    source,
  };
}

/** Notes on attributes that were not read because they cost too many requests (semantics §11.7). */
export function unreadNotes(unread: Readonly<Record<string, number>> = {}): Diagnostic[] {
  const total = Object.values(unread).reduce((sum, count) => sum + count, 0);
  return Object.entries(unread).map(([name, count]) => ({
    severity: 'note',
    code: 'plan.not-compared',
    summary: 'An attribute was not compared with the platform',
    detail: `${name} of ${count.toLocaleString('en')} ${count === 1 ? 'object' : 'objects'} was not read, because each value costs a separate request. The plan uses the values in state instead. Set policy.read_each to at least ${total} to compare them.`,
  }));
}

/** Notes on objects about which a refresh only learnt that they exist and are disabled. */
export function hiddenNotes(hidden: readonly Address[] = []): Diagnostic[] {
  return hidden.map((address) => ({
    severity: 'note',
    code: 'plan.not-shown',
    summary: 'The platform does not show an object',
    detail: `${address} is deactivated on the platform, which refuses to show it by itself, and no list can be asked for an id with a comma. The rest was not compared: the plan uses the values in state.`,
    address,
  }));
}

/** A note that the plan issues tokens and needs --tokens-out (semantics §5.4). */
export function issuedTokensNote(count: number): Diagnostic {
  const what = count === 1 ? '1 token is issued' : `${count.toLocaleString('en')} tokens are issued`;
  return {
    severity: 'note',
    code: tokensNote,
    summary: 'Tokens are issued',
    detail: `${what}. Token values go only to the file given with --tokens-out, and apply is refused without it.`,
  };
}
