// Support: the HTML page of a plan without style and script, so that goldens do not repeat them.

export function pageContent(html: string): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/u, '<style>…</style>')
    .replace(/<script>[\s\S]*?<\/script>/u, '<script>…</script>')
    .replaceAll(/'sha256-[^']*'/gu, "'sha256-…'");
}
