// Reads URLs that every program reads alike.

/**
 * The URL, if the text is its own normal form (`new URL(text).href`). Only a slash at the end, capitals in the host and a default port may
 * differ. Programs disagree about other texts: in `https://a.example\\@b.example` some read one host and some the other, so what is
 * checked would not be what is called.
 */
export function plainUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = text
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#@]*/iu, (start) => start.toLowerCase())
    .replace(/^(?:(https:\/\/[^/?#@]*):443|(http:\/\/[^/?#@]*):80)(?=[/?#]|$)/u, '$1$2');
  return [plain, `${plain}/`].includes(url.href.replace(/^[^/]*\/\/[^/?#@]*/u, (start) => start.toLowerCase()))
    ? url
    : undefined;
}
