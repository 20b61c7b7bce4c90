// Does a text have the shape of an e-mail address? The platform wants none in ids and metadata (base, User).

/** From the sign on, so that long texts are searched once. */
const emailShape = /(?<=[^\s@])@[^\s@.]+\.[^\s@.]/u;

export function looksPersonal(text: string): boolean {
  return text.includes('@') && emailShape.test(text);
}
