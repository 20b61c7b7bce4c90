// The calls on the addresses from which the application can be called (platform §13.4). They are kept, and do not count:
// the emulator is called from this machine alone.

import { ApiError } from '../../api/errors.ts';
import type { Json } from '../../api/request.ts';
import type { Call } from '../../call/call.ts';

const SETTING = 'ip_whitelist';
const FIELD = 'ip_whitelist_addresses';
const ADDRESS = /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/u;

export function viewAllowlist(call: Call): Json {
  return { [FIELD]: addressesOf(call) };
}

/** Earlier addresses stay. One address is shown as a range of one. */
export function addToAllowlist(call: Call): Json {
  return put(call, [...addressesOf(call), ...readAddresses(call.body.requiredStrings(FIELD))]);
}

/** By the documents the addresses are in the body, and by the vendor's clients in the query (behaviours.md, allowlistDeletion). */
export function removeFromAllowlist(call: Call): Json {
  const addresses = call.behaviours.allowlistDeletion === 'body' ? call.body.strings(FIELD) : call.query.strings(FIELD);
  if (addresses === undefined) throw new ApiError('missing', FIELD);
  const removed = readAddresses(addresses);
  const known = addressesOf(call);
  if (call.behaviours.liftOfNothing === 'refused' && !removed.every((address) => known.includes(address))) {
    throw new ApiError('notFound', FIELD);
  }
  return put(
    call,
    known.filter((address) => !removed.includes(address)),
  );
}

function readAddresses(texts: readonly string[]): readonly string[] {
  return texts.map((text) => {
    const [address = '', bits = '32'] = text.split('/');
    if (!ADDRESS.test(text) || Number(bits) > 32 || address.split('.').some((part) => Number(part) > 255)) {
      throw new ApiError('invalidValue', FIELD);
    }
    return `${address}/${bits}`;
  });
}

function addressesOf(call: Call): readonly string[] {
  const kept = call.state.setting(SETTING)?.[FIELD];
  return Array.isArray(kept) ? kept.map(String) : [];
}

function put(call: Call, addresses: readonly string[]): Json {
  const value = { [FIELD]: [...new Set(addresses)].sort() };
  call.commit([{ type: 'setting.put', name: SETTING, value }]);
  return value;
}
