// Withholds a sentence of the platform that may quote a secret of the request: the API token, or a value of the environment.
//
// The sentence is not edited. A replacement would miss a value that the platform cut or escaped, and would tear words apart where
// the value is short.

/** The number of first characters by which a value is recognised that was cut. */
const recognised = 6;

const withheld = 'its message is not shown, because it may contain a secret of the request';

export function withoutQuotedSecrets(sentence: string, secrets: readonly string[]): string {
  return secrets.some((secret) => mayQuote(sentence, secret)) ? withheld : sentence;
}

function mayQuote(sentence: string, secret: string): boolean {
  const lower = sentence.toLowerCase();
  return formsOf(secret).some((form) => form !== '' && lower.includes(form.toLowerCase().slice(0, recognised)));
}

/** As written, in JSON, and in a URL. A host is in lower case. */
function formsOf(secret: string): readonly string[] {
  return [secret.trim(), JSON.stringify(secret.trim()).slice(1, -1), encodeURIComponent(secret.trim().toWellFormed())];
}
