// Recognises files that hold something other than their content: pointers of Git LFS, and what encrypts files in git.
import { Buffer } from 'node:buffer';

/** The form in which another tool keeps a file. */
export interface ForeignForm {
  /** What the file is: a clause without a full stop. */
  readonly inWords: string;
  /** What to do: a clause without a full stop. */
  readonly advice: string;
}

/** The number of first bytes that `foreignFormOf` needs. */
export const formStartBytes = 512;

const forms: readonly (ForeignForm & { readonly start: RegExp })[] = [
  {
    start: /^version https:\/\/git-lfs\.github\.com\/spec\//u,
    inWords: 'it is a pointer of Git LFS, and the file itself was not fetched',
    advice: 'Run git lfs pull (in a GitHub workflow, set lfs: true for actions/checkout)',
  },
  { start: /^\0GITCRYPT\0/u, inWords: 'it is encrypted by git-crypt', advice: 'Run git-crypt unlock' },
  {
    start: /^(?:age-encryption\.org\/|-----BEGIN AGE ENCRYPTED FILE-----)/u,
    inWords: 'it is encrypted by age',
    advice: 'Decrypt it with age --decrypt',
  },
  {
    start: /^\$ANSIBLE_VAULT;/u,
    inWords: 'it is encrypted by Ansible Vault',
    advice: 'Decrypt it with ansible-vault decrypt',
  },
  {
    // Its values are encrypted, its keys are not. It writes JSON over several lines, so a line of NDJSON is not taken for one.
    start: /^[ \t]*(?:- )?"?[\w.-]+"?[ \t]*:[ \t]*"?ENC\[AES256_GCM,data:/mu,
    inWords: 'it is encrypted by SOPS',
    advice: 'Decrypt it with sops --decrypt',
  },
];

/** `start`: the first bytes of the file, `formStartBytes` of them if it has that many. */
export function foreignFormOf(start: Uint8Array): ForeignForm | undefined {
  const text = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, formStartBytes)).toString('latin1');
  return forms.find((form) => form.start.test(text));
}

/** A reader met such a file. The message says what it is and what to do. */
export class ForeignFormError extends Error {
  readonly form: ForeignForm;

  constructor(form: ForeignForm) {
    super(`${form.inWords}. ${form.advice}`);
    this.name = 'ForeignFormError';
    this.form = form;
  }
}

/** Throws a `ForeignFormError` if the bytes, which start a file, are not its content. */
export function demandOwnForm(start: Uint8Array): void {
  const form = foreignFormOf(start);
  if (form !== undefined) throw new ForeignFormError(form);
}
