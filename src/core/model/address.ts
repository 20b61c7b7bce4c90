// Addresses name one declared object as `kind.key`.

// A kind contains no dot, so a key may contain any character.
/**
 * kind.key: user.alice.
 * @pattern ^[a-z_]+\.
 */
export type Address = `${string}.${string}`;

export function addressOf(kind: string, key: string): Address {
  return `${kind}.${key}`;
}

export function kindOf(address: Address): string {
  return address.slice(0, address.indexOf('.'));
}

export function keyOf(address: Address): string {
  return address.slice(address.indexOf('.') + 1);
}

/** The kind of the addresses of run metadata, which manifests cannot declare (run-metadata.ts). */
export const metadataKind = 'chatform';

/** Whether the record is run metadata, which lists, plans and counts leave out. */
export function isRunMetadata(address: Address): boolean {
  return kindOf(address) === metadataKind;
}

/** Parses an address. Returns undefined when kind or key is missing. */
export function parseAddress(text: string): Address | undefined {
  return /^[a-z_]+\../su.test(text) ? (text as Address) : undefined;
}

/** Compares by UTF-16 code unit, which is the order of state. */
export function compareAddresses(left: Address, right: Address): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
