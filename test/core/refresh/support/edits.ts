// Support: random edits by other people on the platform. Edits that the platform refuses are dropped.
import fc from 'fast-check';
import { type Address, keyOf, kindOf } from '../../../../src/core/model/address.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import { kindNamed } from '../../../support/planning/planning.ts';
import { deedsOn } from '../../resources/support/samples.ts';

/** Numbers that select the person, the object and the edit. */
export interface Edit {
  readonly object: number;
  readonly person: number;
  readonly deed: number;
  readonly value: string;
}

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    object: fc.nat(1000),
    person: fc.nat(1000),
    deed: fc.nat(1000),
    value: fc.constantFrom('', 'one', 'two', 'three'),
  }),
  { minLength: 1, maxLength: 12 },
);

/** A platform with the objects that are in state. */
interface Edited {
  readonly state: ReadonlyMap<Address, unknown>;
  answer(request: ApiRequest): unknown;
}

export function perform(rig: Edited, { object, person, deed, value }: Edit): void {
  const addresses = [...rig.state.keys()];
  const address = addresses[object % addresses.length];
  if (address === undefined) return;
  const people = addresses.filter((one) => kindOf(one) === 'user').map(keyOf);
  const who = people[person % people.length] ?? 'nobody';
  const calls = deedsOn(kindNamed(kindOf(address)), { key: keyOf(address), person: who, text: value, number: deed });
  const call = calls[deed % calls.length];
  if (call === undefined) return;
  const [method, route, body, query] = call;
  rig.answer({ method, route, ...(body === undefined ? {} : { body }), ...(query === undefined ? {} : { query }) });
}
