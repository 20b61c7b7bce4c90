// Parses multipart/form-data bodies strictly: anything unexpected makes the whole body invalid.

import type { Body, FilePart } from '../api/request.ts';

const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_PARTS = 1000;

export function parseMultipart(contentType: string, bytes: Buffer): Body {
  const boundary = /boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) return { type: 'invalid' };
  const sections = split(bytes, Buffer.from(`--${name}`));
  if (sections === undefined) return { type: 'invalid' };
  const fields: [string, string][] = [];
  const files = new Map<string, FilePart>();
  for (const section of sections) {
    const part = parsePart(section);
    if (part === undefined) return { type: 'invalid' };
    if (part.fileName === undefined) fields.push([part.name, part.bytes.toString('utf8')]);
    else files.set(part.name, { fileName: part.fileName, contentType: part.contentType, bytes: part.bytes });
  }
  return { type: 'multipart', fields, files };
}

/** The parts between the delimiters. Undefined unless the body starts with one and ends with the closing one. */
function split(bytes: Buffer, delimiter: Buffer): readonly Buffer[] | undefined {
  const sections: Buffer[] = [];
  let at = bytes.indexOf(delimiter);
  if (at !== 0 && !(at === 2 && bytes.subarray(0, 2).equals(LINE_END))) return undefined;
  while (sections.length <= MAX_PARTS) {
    const start = at + delimiter.length;
    if (bytes.toString('latin1', start, start + 2) === '--') return sections;
    if (!bytes.subarray(start, start + 2).equals(LINE_END)) return undefined;
    const end = bytes.indexOf(Buffer.concat([LINE_END, delimiter]), start);
    if (end < 0) return undefined;
    sections.push(bytes.subarray(start + 2, Math.max(start + 2, end)));
    at = end + 2;
  }
  return undefined;
}

interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly contentType: string;
  readonly bytes: Buffer;
}

function parsePart(section: Buffer): Part | undefined {
  const cut = section.indexOf(HEAD_END);
  if (cut < 0) return undefined;
  let disposition: string | undefined;
  let contentType = '';
  for (const line of section.toString('utf8', 0, cut).split('\r\n')) {
    const [name, ...value] = line.split(':');
    if (name?.toLowerCase() === 'content-disposition') disposition = value.join(':');
    if (name?.toLowerCase() === 'content-type') contentType = value.join(':').trim();
  }
  const name = /[;\s]name="([^"]*)"/i.exec(disposition ?? '')?.[1];
  if (name === undefined || name === '') return undefined;
  const fileName = /[;\s]filename="([^"]*)"/i.exec(disposition ?? '')?.[1];
  return { name, fileName, contentType, bytes: section.subarray(cut + HEAD_END.length) };
}
