// What does a row declare that is like others? Its texts are where it differs from them, and most who ask want nothing else.
import type { JsonValue } from '../../lib/json.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { AlikeTexts, DeclaredValue } from '../blocks/block-list.ts';
import { type RowAgain, textOfRow } from './reread.ts';
import type { RowShape } from './row-shape.ts';

/** Of the file that it stands in. */
export interface RowReader {
  readonly file: { readonly name: string };
  /** Of the text of a row that was found right. */
  valueIn(text: string, line: number): DeclaredValue;
  /** What is thrown when the file is no longer what it was. */
  changed(): Error;
}

/** What was read of the file is at hand; what is in it is found out when somebody asks. */
export class AlikeValue implements DeclaredValue, AlikeTexts {
  readonly key: string;
  readonly shape: RowShape;
  readonly #reader: RowReader;
  readonly #row: RowAgain;

  constructor(reader: RowReader, shape: RowShape, row: RowAgain) {
    const key = shape.keyAgain(row);
    if (key === undefined) throw reader.changed();
    this.key = key;
    this.shape = shape;
    this.#reader = reader;
    this.#row = row;
  }

  get value(): JsonValue {
    return this.#reader.valueIn(textOfRow(this.#row), this.#row.line).value;
  }

  get source(): SourcePosition {
    return { file: this.#reader.file.name, line: this.#row.line, column: 1 };
  }

  get alike(): AlikeTexts {
    return this;
  }

  get texts(): readonly string[] {
    const texts = this.shape.textsAgain(this.#row);
    if (texts === undefined) throw this.#reader.changed();
    return texts;
  }

  get areAscii(): boolean {
    return this.#row.isAscii;
  }
}
