// The signature of a saved plan in a sentence, for every view.
import { type CheckedSignature, signersInWords } from '../../model/signing/signature.ts';

/** `Signed by ann (SHA256:…).` */
export function signatureSentence(signature: CheckedSignature): string {
  return signature.counts
    ? `Signed by ${signersInWords(signature)}.`
    : `The signature does not count (${signature.code}): ${signature.message}`;
}
