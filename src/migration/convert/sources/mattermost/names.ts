// The names that serve as ids in Mattermost. Renamed users and channels keep their earlier ids, as decided.
import { twoOfOneId } from '../../export/refusals.ts';
import type { OpeningOptions } from '../../export/source.ts';

export class SourceNames {
  readonly #renamed: OpeningOptions['renamed'];
  /** By kind and id: the name in this export. */
  readonly #seen = new Map<string, string>();

  constructor(renamed: OpeningOptions['renamed']) {
    this.#renamed = renamed;
  }

  user(username: string): string {
    return this.#renamed.users.get(username) ?? username;
  }

  /** Names of teams have no underscore, so that the first one divides. */
  channel(team: string, name: string): string {
    const id = `${team}_${name}`;
    return this.#renamed.channels.get(id) ?? id;
  }

  /** Records a name that the export lists. Throws a refusal if another name has the same id. */
  list(kind: 'users' | 'channels', name: string, id: string): void {
    if (this.#renamed[kind].size === 0) return;
    const key = `${kind} ${id}`;
    const other = this.#seen.get(key) ?? name;
    if (other !== name) throw twoOfOneId(kind, id, [other, name]);
    this.#seen.set(key, name);
  }
}
