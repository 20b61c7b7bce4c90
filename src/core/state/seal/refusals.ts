// The refusals of encryption: a missing key, a wrong key, and bytes that should be encrypted.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { beginAgain, namesItsKind } from '../records/refusals.ts';

export function keyMissing(name: string): Refusal {
  return new Refusal(
    'state.key-missing',
    exitCode.refused,
    `${named(name)} is encrypted, and no key is set.`,
    'Nothing was changed. Set CHATFORM_STATE_KEY, or CHATFORM_STATE_KEY_COMMAND to a command that prints the key.',
  );
}

export function keyWrong(name: string): Refusal {
  return new Refusal(
    'state.key-wrong',
    exitCode.refused,
    `${named(name)} was encrypted with another key.`,
    `Nothing was changed. Set CHATFORM_STATE_KEY to the key that wrote it. If that key is lost, ${namesItsKind(name) ? 'make it again.' : beginAgain(name)}`,
  );
}

/** Accepting such bytes would let anybody who can write there replace them. */
export function notEncrypted(name: string): Refusal {
  return new Refusal(
    'state.not-encrypted',
    exitCode.refused,
    `A key is set, and ${named(name).replace(/^T/u, 't')} is not encrypted.`,
    'Nothing was changed. If it never was encrypted, chatform state rekey encrypts it. If it was, somebody has replaced it: restore it from a backup. A plan is made again.',
  );
}

/** Whether another key might help. */
export function isKeyRefusal({ code }: Refusal): boolean {
  return codes.has(code);
}

const codes = new Set(['state.key-missing', 'state.key-wrong', 'state.not-encrypted']);

function named(name: string): string {
  return namesItsKind(name) ? name : `The state ${name}`;
}
