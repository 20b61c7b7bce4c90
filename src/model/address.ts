// Addresses: the name of one declared object, `kind.key`, which can be printed and parsed.

/** `user.alice`, `group_channel.support-42`. The kind holds no dot, so the key may hold anything. */
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

/** The address in a text; undefined when kind or key is missing. */
export function parseAddress(text: string): Address | undefined {
  return /^[a-z_]+\../su.test(text) ? (text as Address) : undefined;
}

/** By code unit, as state is sorted. */
export function compareAddresses(left: Address, right: Address): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
