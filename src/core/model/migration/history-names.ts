// Names the history files of channels. Each file name contains the whole channel_url, so that patterns under `sources` find it.

/** The placeholder is replaced by the channel_url. The first history file of a name is in `history`, others are in `history/2` … */
const placeholder = '{channel_url}';
const historyFilePattern = /^history\/(?:(?<shelf>[1-9]\d*)\/)?(?<channelUrl>[^/]+)\.ndjson$/u;

/** The channel_url of a history file. Undefined for other files. `file` is relative to the manifest folder and uses `/`. */
export function channelOfHistoryFile(file: string): string | undefined {
  return historyFilePattern.exec(file)?.groups?.channelUrl;
}

/**
 * Gives each channel a file that is distinct from the files of all others, even on a file system that ignores case or the
 * normal form of Unicode. A channel whose file name is taken gets its file in another folder.
 */
export class HistoryFileNames {
  readonly #files = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** `files` are those of an earlier run, which keep their names. */
  constructor(files: Iterable<string> = []) {
    for (const file of files) {
      const channelUrl = channelOfHistoryFile(file);
      if (channelUrl !== undefined) this.#take(channelUrl, file);
    }
  }

  /** Relative to the manifest folder. Undefined if the channel has no file. */
  find(channelUrl: string): string | undefined {
    return this.#files.get(channelUrl);
  }

  /** Relative to the manifest folder. A channel without a file gets one. */
  of(channelUrl: string): string {
    for (let shelf = 1; ; shelf++) {
      const file = this.#files.get(channelUrl);
      if (file !== undefined) return file;
      this.#take(
        channelUrl,
        patternOf(shelf).replace(placeholder, () => channelUrl),
      );
    }
  }

  #take(channelUrl: string, file: string): void {
    const name = folded(file);
    if (this.#taken.has(name)) return;
    this.#taken.add(name);
    this.#files.set(channelUrl, file);
  }
}

/** The patterns under `sources` that match these history files and no others, sorted. */
export function patternsOfHistoryFiles(files: Iterable<string>): readonly string[] {
  const shelves = new Set<number>();
  for (const file of files) shelves.add(Number(historyFilePattern.exec(file)?.groups?.shelf ?? '1'));
  return [...shelves].sort((left, right) => left - right).map(patternOf);
}

function patternOf(shelf: number): string {
  return shelf === 1 ? `history/${placeholder}.ndjson` : `history/${shelf}/${placeholder}.ndjson`;
}

/** Equal for names that any file system takes for the same. */
function folded(name: string): string {
  return name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}
