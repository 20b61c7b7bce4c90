// Finds the lists of objects in a JSON file that no table of the mapping reads.
import { TokenType } from '@streamparser/json';
import type { Table } from './mapping.ts';

/** A map or list that is open. */
interface Frame {
  /** The path of its values so far. Undefined if a table reads it whole, or if it is below a list that no table reads. */
  readonly steps: readonly string[] | undefined;
  readonly isList: boolean;
  /** The list that no table reads and whose rows are the objects in this frame. */
  readonly unread: string | undefined;
  key: string;
  /** Whether the next string is a key. */
  isKey: boolean;
}

/** Calls `onRow` with the path of the list for each of its objects. */
export class UnreadLists {
  readonly #tables: readonly Table[];
  readonly #onRow: (list: string) => void;
  readonly #frames: Frame[] = [];

  constructor(tables: readonly Table[], onRow: (list: string) => void) {
    this.#tables = tables;
    this.#onRow = onRow;
  }

  readonly take = ({ token, value }: { readonly token: TokenType; readonly value: unknown }): void => {
    const frame = this.#frames.at(-1);
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      this.#frames.push(this.#framed(frame, token));
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#frames.pop();
    else if (frame === undefined || frame.isList) return;
    else if (token === TokenType.COMMA) frame.isKey = true;
    else if (frame.isKey && token === TokenType.STRING) {
      frame.key = String(value);
      frame.isKey = false;
    }
  };

  #framed(around: Frame | undefined, token: TokenType): Frame {
    const isList = token === TokenType.LEFT_BRACKET;
    const frame = { isList, key: '', isKey: !isList };
    if (around === undefined) return { ...frame, steps: [], unread: undefined };
    if (around.unread !== undefined && !isList) this.#onRow(around.unread);
    if (around.unread !== undefined && isList && !around.isList)
      return { ...frame, steps: undefined, unread: `${around.unread}/${around.key}` };
    const ignored = { ...frame, steps: undefined, unread: undefined };
    if (around.steps === undefined) return ignored;
    const steps = [...around.steps, this.#stepOf(around)];
    if (this.#tables.some(({ path }) => path.length <= steps.length && isOn(path, steps, path.length))) return ignored;
    if (this.#tables.some(({ path }) => isOn(path, steps, steps.length))) return { ...frame, steps, unread: undefined };
    // An object in a list is a row. Otherwise the objects in the value are.
    if (around.isList && !isList) this.#onRow(steps.join('/'));
    return { ...frame, steps: undefined, unread: around.isList && !isList ? undefined : steps.join('/') };
  }

  /** The key, or `*` in a list and where a table reads any key. */
  #stepOf({ isList, key, steps = [] }: Frame): string {
    const at = steps.length;
    const isAny = isList || this.#tables.some(({ path }) => isWild(path[at]) && isOn(path, steps, at));
    return isAny ? '*' : key;
  }
}

function isWild(step: string | undefined): boolean {
  return step?.startsWith('*') === true || step?.startsWith('{') === true;
}

/** Whether the first `length` steps are on the path of a table. */
function isOn(path: readonly string[], steps: readonly string[], length: number): boolean {
  return steps.slice(0, length).every((step, at) => path[at] === step || isWild(path[at]));
}
