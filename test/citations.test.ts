// Tests that references in the project's texts exist: sections of the specification, files, headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

interface Text {
  /** Relative to the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface Project {
  readonly texts: readonly Text[];
  exists(path: string): boolean;
}

/** Documents that code cites by section: `semantics §4.7`. */
const specifications = ['semantics', 'platform'] as const;

function withoutExamples(text: string): string {
  return text.replace(/^(```+)[\s\S]*?^\1/gmu, '');
}

function headingsOf(text: string): string[] {
  return [...withoutExamples(text).matchAll(/^#+ (.+)$/gmu)].map(([, title = '']) => title);
}

/** The anchors of a page's headings, as GitHub and GitLab make them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const title of headingsOf(text)) {
    const plain = title.toLowerCase().replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1');
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/gu, '-');
    let name = anchor;
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}

/** `4` for `## 4. Safety`, `4.7` for the seventh item below it or for `### 4.7 …`. */
function sectionsOf(text: string): Set<string> {
  const sections = new Set<string>();
  let section = '';
  for (const line of text.split('\n')) {
    const heading = /^#{2,3} (\d+(?:\.\d+)?)\.? /u.exec(line)?.[1];
    if (heading !== undefined) sections.add(heading);
    if (/^## /u.test(line)) section = heading ?? '';
    const item = /^(\d+)\. /u.exec(line)?.[1];
    if (item !== undefined && section !== '') sections.add(`${section}.${item}`);
  }
  return sections;
}

/** Targets of `base, …`: a heading of the part Base, or a field in the first column of its tables. */
function baseNames(platform: string): Set<string> {
  const part = platform.slice(platform.search(/^## Base$/mu));
  const fields = [...part.matchAll(/^\| ([^|]+) \|/gmu)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name),
  );
  return new Set([...headingsOf(part), ...fields]);
}

const number = String.raw`§(\d+(?:\.\d+)?)`;
/** `semantics §1.6, §1.7 and §2`: every number belongs to the document before it. */
const cited = new RegExp(String.raw`\b(${specifications.join('|')}) (${number}(?:(?:, | and | to )${number})*)`, 'gu');
/** A section of another document, or of none. */
const lone = /(?<=([\w.]+ ?)?)§(?:\d+(?:\.\d+)?)?/gu;
const baseCited = /(?:\(|; )base, ([^;):]+)/gu;

/** The end of the path of a source file or folder, as pages name it. */
const namedFile = /`([\w-]+(?:\/[\w.-]+)*(?:\.ts|\/))`/gu;

/** Each finding as one line: `path: the dangling reference`. */
function findDangling({ texts, exists }: Project): string[] {
  const textAt = new Map(texts.map(({ path, text }) => [path, text]));
  const pages: Readonly<Record<string, Set<string>>> = Object.fromEntries(
    specifications.map((name) => [name, sectionsOf(textAt.get(`src/${name}.md`) ?? '')]),
  );
  const base = baseNames(textAt.get('src/platform.md') ?? '');
  return texts.flatMap(({ path, text }) => {
    const findings: string[] = [];
    for (const [, name = '', sections = ''] of text.matchAll(cited)) {
      for (const section of numbersIn(sections)) if (!pages[name]?.has(section)) findings.push(`${name} §${section}`);
    }
    const own = pages[/^src\/(\w+)\.md$/u.exec(path)?.[1] ?? ''];
    for (const [section, document = ''] of text.replace(cited, '').matchAll(lone)) {
      const whole = document + section;
      // A specification may cite itself by the number alone.
      if (numbersIn(whole).some((section) => own?.has(section)) !== true) findings.push(whole);
    }
    for (const [, names = ''] of proseOf(path, text).matchAll(baseCited)) {
      for (const name of names.split(', ')) if (!base.has(name)) findings.push(`base, ${name}`);
    }
    if (path.endsWith('.md')) findings.push(...danglingLinks(path, text, textAt, exists));
    if (/^(?:src|test)\/.*\.md$/u.test(path)) {
      for (const [, name = ''] of text.matchAll(namedFile)) {
        if (![...textAt.keys()].some((each) => `/${each}`.includes(`/${name}`))) findings.push(`names ${name}`);
      }
    }
    return findings.map((finding) => `${path}: ${finding}`);
  });
}

/** Joins lines. Of code it keeps only comments, because `base` is a name there, too. */
function proseOf(path: string, text: string): string {
  const lines = text.split('\n');
  const prose = path.endsWith('.ts')
    ? lines.map((line) => /(?:\/\/|\/\*\*|^\s*\*)\s?(.*)$/u.exec(line)?.[1] ?? '')
    : lines;
  return prose.join(' ').replace(/\s+/gu, ' ');
}

function numbersIn(text: string): string[] {
  return [...text.matchAll(new RegExp(number, 'gu'))].map(([, section = '']) => section);
}

function danglingLinks(
  path: string,
  text: string,
  textAt: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
): string[] {
  return linksOf(text).flatMap((link) => {
    const [, anchor] = link.split('#');
    const target = targetOf(path, link);
    if (!exists(target)) return [`links to ${link}`];
    const page = textAt.get(target);
    return anchor === undefined || page === undefined || anchorsOf(page).has(anchor) ? [] : [`links to ${link}`];
  });
}

/** The links of a page to files and headings of the project, as they are written. */
function linksOf(text: string): string[] {
  const prose = withoutExamples(text).replace(/`[^`\n]*`/gu, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/gu)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/u.test(link));
}

/** The file or folder that a link of the page names. */
function targetOf(page: string, link: string): string {
  const [file = ''] = link.split('#');
  return file === '' ? page : posix.join(posix.dirname(page), file);
}

/** `init` copies these pages into other repositories, where links to neighbours would dangle. */
const copiedPages: ReadonlySet<string> = new Set([
  'examples/agents/guide.md',
  'examples/agents/skills/chatform/SKILL.md',
  'examples/agents/skills/move-chat/SKILL.md',
]);

const ways = /^Next: \[[^\]]+\]\([^)\s]+\) · Back: \[[^\]]+\]\([^)\s]+\)$/u;
const entries = ['README.md', 'examples/README.md'];

/** Each page of the examples that has no way on and back in its last line, or is more than two clicks from an entry. */
function findDeadEnds(texts: readonly Text[]): string[] {
  const pages = texts.filter(({ path }) => path.endsWith('.md'));
  const textAt = new Map(pages.map(({ path, text }) => [path, text]));
  const reached = new Set(entries);
  for (let clicks = 1; clicks <= 2; clicks += 1) {
    for (const path of [...reached]) {
      for (const link of linksOf(textAt.get(path) ?? '')) {
        const target = targetOf(path, link).replace(/\/$/u, '');
        reached.add(target.endsWith('.md') ? target : `${target}/README.md`);
      }
    }
  }
  return pages
    .filter(({ path }) => path.startsWith('examples/') && !copiedPages.has(path))
    .flatMap(({ path, text }) => [
      ...(ways.test(text.trimEnd().split('\n').at(-1) ?? '') ? [] : [`${path}: does not end with Next and Back`]),
      ...(reached.has(path) ? [] : [`${path}: is more than two clicks from ${entries.join(' and ')}`]),
    ]);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const self = 'test/citations.test.ts';

/** The project's texts without goldens, generated files, leftovers of runs, and this file. */
function project(): Project {
  const files = ['src', 'test', 'examples', 'schema'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.replaceAll('\\', '/')}`,
    ),
  );
  const paths = ['README.md', ...files]
    .filter((path) => /\.(?:ts|md|mjs|json|ya?ml)$/u.test(path))
    .filter((path) => !/\/(?:goldens|generated|node_modules|\.chatform)\//u.test(path) && path !== self)
    .sort();
  return {
    texts: paths.map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') })),
    exists: (path) => existsSync(`${root}/${path}`),
  };
}

test('every citation and every link of the project resolves', () => {
  const real = project();
  expect(real.texts.length).toBeGreaterThan(300);
  expect(findDangling(real)).toEqual([]);
});

test('every page of the examples leads on and back, and is two clicks from an entry at most', () => {
  expect(findDeadEnds(project().texts)).toEqual([]);
});

test('a page without ways, and one that is too far away, are found', () => {
  const ending = (next: string) => `Next: [on](${next}) · Back: [back](../README.md)\n`;
  const texts = [
    { path: 'README.md', text: '[one](examples/one/)\n' },
    { path: 'examples/one/README.md', text: `# One\n\n${ending('../two.md')}` },
    { path: 'examples/two.md', text: `# Two\n\n${ending('three.md')}` },
    { path: 'examples/three.md', text: `# Three\n\n${ending('four.md')}\nMore.\n` },
    { path: 'examples/four.md', text: '# Four\n\nNext: [on](one/)\n' },
  ];
  expect(findDeadEnds(texts)).toEqual([
    'examples/three.md: does not end with Next and Back',
    'examples/three.md: is more than two clicks from README.md and examples/README.md',
    'examples/four.md: does not end with Next and Back',
    'examples/four.md: is more than two clicks from README.md and examples/README.md',
  ]);
});

describe('a planted finding is found', () => {
  const semantics = '# Meaning\n\n## 1. Managed\n\n1. First.\n2. Second: see §1.1.\n\n## 2. Order\n\nProse.\n';
  const platform =
    '# Platform\n\n### 1.1 Pages\n\nText.\n\n## Base\n\n### POST /users\n\n| Field |\n|---|\n| `strict` | |\n';

  function findingsIn(path: string, text: string): string[] {
    const texts = [
      { path: 'src/semantics.md', text: semantics },
      { path: 'src/platform.md', text: platform },
      { path, text },
    ];
    const known = new Set([...texts.map((each) => each.path), 'src']);
    const exists = (each: string) => known.has(each.replace(/\/$/u, ''));
    return findDangling({ texts, exists }).map((finding) => finding.replace(`${path}: `, ''));
  }

  const page = 'examples/page/README.md';
  const readme = 'src/folder/README.md';

  test.for<[path: string, text: string, ...findings: string[]]>([
    ['src/some.ts', '// (semantics §1.2; platform §1.1; base, POST /users) and (base, strict), semantics §1, §2'],
    [page, '[a](../../src/semantics.md#2-order), [b](#here), [c](https://x.org/y)\n\n## Here\n'],
    ['src/some.ts', '// semantics §3', 'semantics §3'],
    ['src/some.ts', '// semantics §1.3', 'semantics §1.3'],
    ['src/some.ts', '// semantics §1.1, §2.1', 'semantics §2.1'],
    ['src/some.ts', '// platform §1.2', 'platform §1.2'],
    ['src/some.ts', '// (base, POST /bots)', 'base, POST /bots'],
    ['src/some.ts', '// (base, lenient; semantics §1)', 'base, lenient'],
    ['src/some.ts', '// api§1.1', 'api§1.1'],
    ['src/some.ts', '// design §1', 'design §1'],
    ['src/some.ts', '// as §1.1 says', 'as §1.1'],
    [page, '[a](../other.md)', 'links to ../other.md'],
    [page, '[a](../../src/semantics.md#3-none)', 'links to ../../src/semantics.md#3-none'],
    [page, '[a](#nowhere)', 'links to #nowhere'],
    [readme, '`planner/gone.ts` and `folder/`', 'names planner/gone.ts'],
    [readme, '`gone/` and `folder/`', 'names gone/'],
  ])('in %s: %s', ([path, text, ...findings]) => {
    expect(findingsIn(path, text)).toEqual(findings);
  });

  test('in a specification itself', () => {
    const texts = [{ path: 'src/semantics.md', text: semantics.replace('§1.1', '§9') }];
    expect(findDangling({ texts, exists: () => true })).toEqual(['src/semantics.md: see §9']);
  });
});
