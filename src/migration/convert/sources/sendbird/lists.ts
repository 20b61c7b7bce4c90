// Reads the lists of channels and users, which the platform exports in separate files.
import type { FileTree, TreeFile } from '../../../../lib/file-tree.ts';
import { isObject, type JsonObject } from '../../../../lib/json.ts';
import { JsonStreamError, streamJson } from '../../../../lib/json-stream.ts';
import type { SourceItem } from '../../export/items.ts';
import type { ExportFields } from '../../export/look-at-fields.ts';
import type { ItemBatch } from '../../export/source.ts';
import { objectIn, objectsIn, textIn } from '../../export/values.ts';

const paths = ['$.*', '$.channels.*', '$.users.*'];

interface Listed {
  readonly type: 'channel' | 'user';
  readonly id: string;
  readonly value: JsonObject;
}

/** The channels and users of a file; empty for a file in another form. */
async function* listed(tree: FileTree, path: string): AsyncGenerator<readonly Listed[]> {
  try {
    for await (const { values } of streamJson(await tree.stream(path), paths)) {
      yield values.flatMap(({ value }): Listed[] => {
        if (!isObject(value)) return [];
        const channel = textIn(value, 'channel_url');
        const user = textIn(value, 'user_id');
        if (channel !== undefined && value.message_id === undefined) return [{ type: 'channel', id: channel, value }];
        return user === undefined ? [] : [{ type: 'user', id: user, value }];
      });
    }
  } catch (error) {
    // The break itself has no ledger line; the objects before it do.
    if (!(error instanceof JsonStreamError)) throw error;
  }
}

/** The lists of an export, by the paths of their files. `isMessages`: for files that are read as those of a channel. */
export class SendbirdLists {
  readonly channels = new Map<string, JsonObject>();
  readonly users = new Map<string, JsonObject>();
  readonly #files = new Set<string>();

  async read(tree: FileTree, isMessages: (path: string) => boolean): Promise<void> {
    for (const { path } of tree.files) {
      if (!path.endsWith('.json') || isMessages(path)) continue;
      for await (const objects of listed(tree, path)) {
        for (const { type, id, value } of objects) {
          this.#files.add(path);
          const known = type === 'channel' ? this.channels : this.users;
          if (!known.has(id) || isLater(value, known.get(id))) known.set(id, value);
        }
      }
    }
  }

  /** Paths of the lists. */
  get files(): Iterable<string> {
    return this.#files;
  }

  batches(tree: FileTree, file: TreeFile, fields: ExportFields): AsyncIterable<ItemBatch> | undefined {
    return this.#files.has(file.path) ? itemsOf(tree, file, fields) : undefined;
  }
}

/** Returns the window with the later message. */
function isLater(value: JsonObject, known: JsonObject | undefined): boolean {
  const timeOf = (entry: JsonObject): number =>
    Number(objectIn(entry, 'last_message').created_at ?? entry.last_seen_at ?? 0);
  return known !== undefined && timeOf(value) > timeOf(known);
}

async function* itemsOf(tree: FileTree, { path, bytes }: TreeFile, fields: ExportFields): AsyncGenerator<ItemBatch> {
  let number = 0;
  for await (const objects of listed(tree, path)) {
    const items = objects.map(({ type, id, value }): SourceItem => {
      fields.of(type).look(value);
      // Members of a list have no line of their own.
      const members = type === 'channel' ? objectsIn(value, 'members') : [];
      const reasons = members.flatMap((member) => fields.of('member').look(member).reasons);
      return { type, at: `${path}#${++number}`, id, reasons: [...new Set(reasons)] };
    });
    yield { items, bytes: 0, file: path };
  }
  yield { items: [], bytes, file: path };
}
