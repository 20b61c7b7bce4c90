// The files that flags name for a command to write.
import type { FileKind } from '../../core/app/context/file-kinds.ts';

export interface OutputFile {
  readonly file: string;
  readonly kind: FileKind;
}

/** Reads the value of a flag. Undefined if it names no file. */
export type ReadOutput = (value: string) => OutputFile | undefined;

export function writes(kind: FileKind): ReadOutput {
  return (file) => ({ file, kind });
}

/** The ending of the file selects a page or JSON. */
export const writesReport: ReadOutput = (file) => ({ file, kind: file.endsWith('.html') ? 'report-html' : 'report' });

export const writesVerification: ReadOutput = (file) => {
  if (file.endsWith('.md')) return { file, kind: 'verification-markdown' };
  return { file, kind: file.endsWith('.html') ? 'verification-html' : 'verification' };
};

const viewKinds = {
  human: 'plan-human',
  json: 'plan-json',
  markdown: 'plan-markdown',
  html: 'plan-html',
  sarif: 'plan-sarif',
  github: 'plan-github',
} as const satisfies Readonly<Record<string, FileKind>>;

export type ViewFormat = keyof typeof viewKinds;

export function kindOfView(format: ViewFormat): FileKind {
  return viewKinds[format];
}

/** `markdown=plan.md`. Other values are refused, or are not files. */
export const writesView: ReadOutput = (value) => {
  const [, format = '', file = ''] = /^([a-z]+)=(.+)$/su.exec(value) ?? [];
  const kind = Object.entries(viewKinds).find(([known]) => known === format)?.[1];
  return kind === undefined ? undefined : { file, kind };
};
