// Recognises texts that look like e-mail addresses, which must not stand in ids and metadata (base, User).

/** The pattern starts at the @ sign, so that a long text is searched only once. */
const emailShape = /(?<=[^\s@])@[^\s@.]+\.[^\s@.]/u;

export function looksPersonal(text: string): boolean {
  return text.includes('@') && emailShape.test(text);
}
