// Support: the HTML page of a plan without style and script, so that goldens do not repeat them.

/** Without who wrote the page and when. */
export function withoutWriter(html: string): string {
  return html.replace(/(?<=<dt>Page written<\/dt><dd>).*?(?=<\/dd>)/u, '…');
}

export function pageContent(html: string): string {
  return withoutWriter(html)
    .replace(/<style>[\s\S]*?<\/style>/u, '<style>…</style>')
    .replace(/<script>[\s\S]*?<\/script>/u, '<script>…</script>')
    .replaceAll(/'sha256-[^']*'/gu, "'sha256-…'");
}
