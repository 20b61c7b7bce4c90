// Checks profile and cover images: JPG, JPEG or PNG up to 5 MB, URLs up to 2,048 characters (base, User).

import { createHash } from 'node:crypto';
import { ApiError } from '../api/errors.ts';
import type { Call } from './call.ts';
import { checkDomain } from './domains.ts';

const MAX_URL = 2048;
/** 5 MB, in powers of ten: the stricter meaning of the base document. */
const MAX_FILE_BYTES = 5_000_000;
const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47];

/** The URL of the image, which the body contains as URL or file. Undefined without either. */
export function readImage(call: Call, urlField: string, fileField: string): string | undefined {
  const file = call.body.file(fileField);
  if (file === undefined) {
    if (call.body.has(fileField)) throw new ApiError('invalidValue', fileField);
    const url = call.body.string(urlField, MAX_URL);
    if (url !== undefined) checkDomain(call, url);
    return url;
  }
  if (file.bytes.length > MAX_FILE_BYTES) throw new ApiError('tooLong', fileField);
  const type = imageType(file.bytes);
  if (type === undefined) throw new ApiError('invalidValue', fileField);
  // The bytes are not stored. Their digest becomes part of the URL.
  const digest = createHash('sha256').update(file.bytes).digest('hex').slice(0, 40);
  return `https://files.emulator.invalid/${fileField}/${digest}.${type}`;
}

function imageType(bytes: Uint8Array): 'jpg' | 'png' | undefined {
  if (JPEG.every((byte, place) => bytes[place] === byte)) return 'jpg';
  if (PNG.every((byte, place) => bytes[place] === byte)) return 'png';
  return undefined;
}
