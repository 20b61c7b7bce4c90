// What of a page is the plan's, and not the same in every page? So that goldens do not repeat style and script.

export function pageContent(html: string): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/u, '<style>…</style>')
    .replace(/<script>[\s\S]*?<\/script>/u, '<script>…</script>')
    .replaceAll(/'sha256-[^']*'/gu, "'sha256-…'");
}
