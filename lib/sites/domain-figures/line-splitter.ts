/** Longer lines are skipped and not kept in memory. The longest line of a real file has some hundred bytes. */
export const maxLineBytes = 8_192;

const [newline, carriageReturn] = [10, 13];

/**
 * Takes a line without its end, as a range of `bytes` that is valid until it returns. `isTooLong`: the line has more than
 * `maxLineBytes` and the range is empty.
 */
export type OnLine = (bytes: Uint8Array, start: number, end: number, isTooLong: boolean) => void;

/**
 * Splits chunks of bytes into lines that end with LF or CRLF, the last one also without. Works on bytes, because a string
 * for each of ten million lines takes longer than all the rest.
 */
export class LineSplitter {
  readonly #onLine: OnLine;
  /** The start of a line whose end was not in the chunks until now. */
  readonly #begun = new Uint8Array(maxLineBytes);
  #length = 0;
  #isTooLong = false;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      if (this.#length === 0 && !this.#isTooLong && at - from <= maxLineBytes) this.#emit(chunk, from, at, false);
      else {
        this.#begin(chunk, from, at);
        this.end();
      }
      from = at + 1;
    }
    this.#begin(chunk, from, chunk.length);
  }

  /** Emits the last line, if it has no end. */
  end(): void {
    const [length, isTooLong] = [this.#length, this.#isTooLong];
    this.#length = 0;
    this.#isTooLong = false;
    if (length > 0 || isTooLong) this.#emit(this.#begun, 0, isTooLong ? 0 : length, isTooLong);
  }

  #begin(chunk: Uint8Array, from: number, to: number): void {
    if (this.#length + to - from > maxLineBytes) this.#isTooLong = true;
    if (this.#isTooLong) return;
    this.#begun.set(chunk.subarray(from, to), this.#length);
    this.#length += to - from;
  }

  #emit(bytes: Uint8Array, start: number, end: number, isTooLong: boolean): void {
    this.#onLine(bytes, start, end > start && bytes[end - 1] === carriageReturn ? end - 1 : end, isTooLong);
  }
}
