// Who signed a file, as reports and the audit trail keep it, and the keys of people whose signatures count.

export interface Signature {
  /** The name of the signer in the list of signers, such as an e-mail address. */
  readonly by: string;
  /** The fingerprint of the public key, as ssh-keygen prints it: `SHA256:…`. */
  readonly key: string;
  /** The SHA-256 of the bytes that were signed. */
  readonly sha256: string;
}

/** A person and a public key, in the form of a line of `allowed_signers` (ssh-keygen(1)). */
export interface Signer {
  readonly name: string;
  /** `valid-before="20270101"`, and others with a comma between them. Times without Z are in UTC. Absent: none. */
  readonly options?: string;
  readonly type: string;
  /** In Base64. */
  readonly key: string;
}

const time = String.raw`\d{8}(?:\d{4}(?:\d{2})?)?Z?`;
const option = String.raw`(?:valid-(?:after|before)="${time}"|namespaces="[\w.,@-]+")`;
const keyType = String.raw`(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com)`;
// Patterns of names, lists of names and certificate authorities would hide who signed.
const line = new RegExp(
  String.raw`^([\w.@+][\w.@+-]*) +(?:(${option}(?:,${option})*) +)?(${keyType}) +([A-Za-z0-9+/]+={0,2})(?: .*)?$`,
  'u',
);

/** The signer in a line of `allowed_signers`. Undefined if the line has another form. */
export function signerIn(text: string): Signer | undefined {
  const [, name, options, type, key] = line.exec(text) ?? [];
  if (name === undefined || type === undefined || key === undefined) return undefined;
  return { name, type, key, ...(options === undefined ? {} : { options }) };
}
