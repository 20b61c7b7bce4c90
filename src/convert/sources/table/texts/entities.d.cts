// The type of entities.cjs.
declare const entities: () => { decodeHTMLStrict(text: string): string };
export = entities;
