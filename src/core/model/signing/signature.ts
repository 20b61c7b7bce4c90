// Who signed a file, as reports and the audit trail keep it, and the keys of people whose signatures count.

export interface SigningKey {
  /** The name of the signer in policy.approvals.signers. */
  readonly by: string;
  /** The fingerprint of the public key, as ssh-keygen prints it. */
  readonly key: string;
}

export interface Signature extends SigningKey {
  /**
   * The other signers, where policy.approvals.signatures demands several. Absent: there are none.
   * @minItems 1
   */
  readonly others?: readonly SigningKey[];
  /** The SHA-256 of the signed file. */
  readonly sha256: string;
}

/** A signature that was looked at, and why it does not count if it does not. */
export type CheckedSignature =
  | ({ readonly counts: true } & Signature)
  | {
      readonly counts: false;
      /** The code of the refusal of an apply that needs the signature. */
      readonly code: string;
      readonly message: string;
    };

/** `ann (SHA256:…), bob (SHA256:…)`: everybody who signed. */
export function signersInWords({ by, key, others = [] }: Signature): string {
  return [{ by, key }, ...others].map((signer) => `${signer.by} (${signer.key})`).join(', ');
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
  if (!isWhole(type, key) || !isPossible(options)) return undefined;
  return { name, type, key, ...(options === undefined ? {} : { options }) };
}

/** Whether a key has all its bytes: fields with their lengths, the first of which is the type (RFC 4253, section 6.6). */
function isWhole(type: string, key: string): boolean {
  const bytes = Buffer.from(key, 'base64');
  const fields: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + 4;
    if (start > bytes.length) return false;
    at = start + bytes.readUInt32BE(at);
    if (at > bytes.length) return false;
    fields.push(bytes.subarray(start, at));
  }
  return fields.length > 1 && fields[0]?.toString('latin1') === type;
}

/** Whether the times in options are those of a calendar and a clock. */
function isPossible(options = ''): boolean {
  return Array.from(options.matchAll(/"(\d{8}(?:\d{4})?(?:\d{2})?)Z?"/gu)).every(([, digits = '']) => {
    const [, date = '', clock = ''] = /^(\d{8})(\d*)$/u.exec(digits) ?? [];
    const [, hours = '', minutes = '', seconds = ''] = /^(\d\d)(\d\d)(\d\d)$/u.exec(clock.padEnd(6, '0')) ?? [];
    const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
    const time = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
    return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
  });
}
