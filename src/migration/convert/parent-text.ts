// The parent of a reply, as the last member of the JSON of its line.

/** `first` is the dedup_id of the first message of the thread. */
export function withParent(text: string, first: string): string {
  return `${text.slice(0, -1)},"parent":${JSON.stringify(first)}}`;
}

/** Removes what `withParent` adds. */
export function withoutParent(text: string): string {
  return text.includes(',"parent":"') ? text.replace(/,"parent":"(?:[^"\\]|\\.)*"\}$/u, '}') : text;
}
