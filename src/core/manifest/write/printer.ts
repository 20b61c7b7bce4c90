// Prints YAML in the layout of manifests: two spaces for each level, `{ a: 1 }` and `[a, b]`, no needless quotes.
import {
  type CollectionTag,
  Document,
  type DocumentOptions,
  type Node,
  type ParseOptions,
  Scalar,
  type ScalarTag,
  type SchemaOptions,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { mapTag, type StringifyContext, seqTag, stringifyString, stringTag } from 'yaml/util';

/** Longer brackets are split into lines. */
const maxBrackets = 100;
/** The column at which multi-line texts are folded. */
const foldColumn = 80;

/** Ids and words that every YAML reader treats as text. */
const plain = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}_](?: ?(?:[\p{L}\p{N}_.@/?&=%+~-]|:(?=[\p{L}\p{N}/])))*$/u;
const otherThanText = /^(?:null|true|false|yes|no|on|off|y|n)$/iu;
/** Characters that no manifest may contain unescaped, or that end a line for some readers. */
const escaped = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/gu;

/** Whether the text can be written without quotes anywhere. */
export function isPlain(text: string): boolean {
  return plain.test(text) && !otherThanText.test(text);
}

/** Returns the text on one line, in double quotes, as JSON and YAML read it alike. */
export function quotedLine(text: string): string {
  return JSON.stringify(text).replaceAll(escaped, escapeOf);
}

/**
 * Options to parse documents for printing. Numbers are texts, so that they are printed as written. `isFolded` tells whether a
 * scalar was written over several lines.
 */
export function documentOptions(isFolded: (scalar: Scalar) => boolean): ParseOptions & DocumentOptions & SchemaOptions {
  const text: ScalarTag = {
    ...stringTag,
    stringify(scalar, context, onComment, onChompKeep) {
      const options = { ...context.options, lineWidth: isFolded(scalar) ? foldColumn : 0 };
      const printed = stringifyString(scalar, { ...context, options }, onComment, onChompKeep);
      return printed.startsWith('"') ? printed.replaceAll(escaped, escapeOf) : printed;
    },
  };
  const forms = [text, padded(mapTag, ' '), padded(seqTag, '')];
  const replaced = new Set([...forms.map(({ tag }) => tag), 'tag:yaml.org,2002:int', 'tag:yaml.org,2002:float']);
  return {
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    logLevel: 'silent',
    customTags: (tags) => [...forms, ...tags.filter((tag) => typeof tag === 'string' || !replaced.has(tag.tag))],
  };
}

/** The package calls this function of a tag to print collections, although its types do not declare it. */
function padded(tag: CollectionTag, flowCollectionPadding: string): CollectionTag {
  const stringify = (
    node: YAMLMap | YAMLSeq,
    context: StringifyContext,
    onComment?: () => void,
    onChompKeep?: () => void,
  ): string => node.toString({ ...context, flowCollectionPadding }, onComment, onChompKeep);
  return Object.assign({}, tag, { stringify });
}

function escapeOf(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const layout: ToStringOptions = { indent: 2, indentSeq: true, lineWidth: maxBrackets, nullStr: '' };

export function printDocument(document: Document.Parsed | Document): string {
  return document.toString(layout);
}

/** Prints a document that is made of a map. */
export function printMap(contents: Node): string {
  const document = new Document(
    undefined,
    documentOptions(() => false),
  );
  document.contents = contents as typeof document.contents;
  return printDocument(document);
}

/** Returns a scalar with double quotes if they are needed. */
export function textScalar(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  scalar.type = isPlain(text) ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
  return scalar;
}
