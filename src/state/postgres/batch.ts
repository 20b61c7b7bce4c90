// The one statement that writes a batch of entries, on the condition that the lock is still ours.
import type { Address } from '../../model/address.ts';
import type { PendingBegin } from '../../model/ports.ts';
import { applyEntry, entryAddress, type StateRecord } from '../../model/record.ts';
import { recordText } from '../records/record-text.ts';
import type { StateChange, StateView } from '../view.ts';
import type { RowCipher } from './row-cipher.ts';

export interface BatchStatement {
  /** Returns one row when the batch was written, none when it was not. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Its values are the id of the state, the holder's epoch and the number of the batch. */
const fence = `fence AS (
  UPDATE chatform.states SET batch = $3 WHERE id = $1 AND epoch = $2 AND batch = $3::bigint - 1 RETURNING id
)`;

// Acknowledged means durable, even for a role with synchronous_commit off. The setting ends with the statement.
const durably = `CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END`;

/**
 * Writes the outcome of the entries, applied in order to `view`; each row appears once. The statement has only the parts
 * that the batch needs: planning them is most of what a small batch costs.
 */
export function batchStatement(
  fencing: readonly [id: number, epoch: number, batch: number],
  entries: readonly StateChange[],
  view: StateView,
  cipher: RowCipher,
): BatchStatement {
  const values: unknown[] = [...fencing];
  const parts = [fence];
  const add = (lists: readonly (readonly unknown[])[], part: (...names: string[]) => string): void => {
    if (lists[0]?.length === 0) return;
    const names = lists.map((list) => `$${values.push(list)}`);
    parts.push(part(...names));
  };
  const { records, begins } = outcomeOf(entries, view);
  const [put, gone] = split(records);
  const [begun, ended] = split(begins);
  const putKeys = put.map(([address]) => cipher.key(address));
  const begunKeys = begun.map(([step]) => cipher.key(step));
  const seal = (text: string, key: Buffer | undefined): string => cipher.seal(text, key ?? Buffer.alloc(0));
  add(
    [putKeys, put.map(([, record], index) => seal(recordText(record), putKeys[index]))],
    (keys, texts) => `put AS (
      INSERT INTO chatform.records (state, address, record)
      SELECT fence.id, item.key, item.text FROM fence, unnest(${keys}::bytea[], ${texts}::text[]) AS item (key, text)
      ON CONFLICT (state, address) DO UPDATE SET record = excluded.record)`,
  );
  add(
    [gone.map((address) => cipher.key(address))],
    (keys) =>
      `gone AS (DELETE FROM chatform.records USING fence WHERE state = fence.id AND address = ANY (${keys}::bytea[]))`,
  );
  add(
    [begunKeys, begun.map(([, begin], index) => seal(JSON.stringify(begin), begunKeys[index]))],
    (keys, texts) => `begun AS (
      INSERT INTO chatform.begins (state, step, pending)
      SELECT fence.id, item.key, item.text FROM fence, unnest(${keys}::bytea[], ${texts}::text[]) AS item (key, text)
      ON CONFLICT (state, step) DO UPDATE SET pending = excluded.pending)`,
  );
  add(
    [ended.map((step) => cipher.key(step))],
    (keys) =>
      `ended AS (DELETE FROM chatform.begins USING fence WHERE state = fence.id AND step = ANY (${keys}::bytea[]))`,
  );
  return { text: `WITH ${parts.join(', ')} SELECT id, ${durably} FROM fence`, values };
}

function outcomeOf(entries: readonly StateChange[], view: StateView) {
  /** Undefined: deleted. */
  const records = new Map<Address, StateRecord | undefined>();
  /** Undefined: ended. */
  const begins = new Map<string, PendingBegin | undefined>();
  for (const change of entries) {
    if (change.type === 'begin') {
      const { type: _type, ...begin } = change;
      begins.set(begin.step, begin);
      continue;
    }
    begins.set(change.step, undefined);
    if (change.type === 'undone') continue;
    const address = entryAddress(change.entry);
    // Only an edit needs the record of before.
    const isEdit = change.entry.type === 'patch';
    const before = records.has(address) ? records.get(address) : isEdit ? view.get(address) : undefined;
    records.set(address, applyEntry(before, change.entry));
  }
  return { records, begins };
}

function split<Key, Value>(values: ReadonlyMap<Key, Value | undefined>): [[Key, Value][], Key[]] {
  const present: [Key, Value][] = [];
  const absent: Key[] = [];
  for (const [key, value] of values) {
    if (value === undefined) absent.push(key);
    else present.push([key, value]);
  }
  return [present, absent];
}
