// Texts of dumps with one character for each byte, so that SQL is read before its encoding: a string may contain any bytes.
import { isUtf8 } from 'node:buffer';

const beyondAscii = /[\u0080-\u00ff]/u;

/** The bytes of a text in UTF-8. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Decodes bytes. Undefined if they are not in the encoding. */
export type Decode = (bytes: string) => string | undefined;

export const fromUtf8: Decode = (bytes) => {
  if (!beyondAscii.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : undefined;
};

/** The characters of Windows-1252 that differ from Latin-1. TextDecoder takes one for the other in some versions of Node. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes Windows-1252, which MySQL calls latin1. */
export function fromWindows1252(bytes: string): string {
  return bytes.replaceAll(/[\u0080-\u009f]/gu, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte);
}

const notText = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/u;

/** The text of a binary value, or its digits as 0x… if the bytes are not text. */
export function binaryText(bytes: string): string {
  const text = notText.test(bytes) ? undefined : fromUtf8(bytes);
  return text ?? `0x${Buffer.from(bytes, 'latin1').toString('hex')}`;
}

/** The bytes of hexadecimal digits, of which the first may be missing. */
export function fromHex(digits: string): string {
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex').toString('latin1');
}

/** The number that the bytes of a bit field are. */
export function bitsNumber(bytes: string): string {
  return bytes === '' ? '0' : BigInt(`0x${Buffer.from(bytes, 'latin1').toString('hex')}`).toString();
}
