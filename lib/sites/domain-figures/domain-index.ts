const seed = 0x811c9dc5;
const prime = 0x01000193;
const dot = 46;

/** What bytes of names stand for: themselves in lower case, 255 for other letters than ASCII, 0 if a name has none. */
const letters = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 128) return 255;
  return /[a-z\d._-]/i.test(String.fromCharCode(byte)) ? String.fromCharCode(byte).toLowerCase().charCodeAt(0) : 0;
});

/** A name that is not in the index. */
const unknown = -1;
/** A text that is no name of a domain. */
export const invalid = -2;
/** A name with other letters than ASCII, which must be encoded first. */
export const unencoded = -3;

/**
 * Names of domains, each with a number from 0. Looks a name up by its bytes without creating a string, and takes about 30
 * bytes and the name's own for each, a fifth of a Map. Names are compared in full: a hash alone would find false ones.
 */
export class DomainIndex {
  readonly #capacity: number;
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #hashes: Int32Array;
  /** The number of a name plus 1 at the first free place from its hash on. At most half of the places are taken. */
  readonly #places: Int32Array;
  #size = 0;

  /** @param bytes the length of all names together */
  constructor(capacity: number, bytes: number) {
    this.#capacity = capacity;
    this.#bytes = new Uint8Array(bytes);
    this.#ends = new Uint32Array(capacity + 1);
    this.#hashes = new Int32Array(capacity);
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(capacity, 1) * 2)));
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a name in lower case, unless it is there, is invalid, or the index is full. */
  add(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const from = this.#ends[this.#size] ?? 0;
    if (this.#size === this.#capacity || from + end - start > this.#bytes.length) return;
    if (this.find(bytes, start, end) !== unknown) return;
    let hash = seed;
    for (let at = end - 1; at >= start; at--) hash = Math.imul(hash ^ (bytes[at] ?? 0), prime);
    const mask = this.#places.length - 1;
    let place = spread(hash) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = this.#size + 1;
    this.#hashes[this.#size] = hash;
    for (let at = start; at < end; at++) this.#bytes[from + at - start] = bytes[at] ?? 0;
    this.#size += 1;
    this.#ends[this.#size] = from + end - start;
  }

  /** Finds a name. @returns its number, or `unknown`, `invalid` or `unencoded` */
  find(bytes: Uint8Array, start: number, end: number): number {
    return this.#search(bytes, start, end, false);
  }

  /**
   * Finds the domain of a host: the name itself, or `resolve` of it if the index has a name that the host ends with.
   * Most hosts have none, so the list of public suffixes is not asked for them.
   * @param resolve returns the registrable domain of a host
   */
  findDomainOf(bytes: Uint8Array, start: number, end: number, resolve: (host: string) => string): number {
    const found = this.#search(bytes, start, end, true);
    if (found !== parent) return found;
    const domain = Buffer.from(resolve(Buffer.from(bytes.subarray(start, end)).toString('latin1').toLowerCase()));
    return this.find(domain, 0, domain.length);
  }

  /** @returns the name with a number */
  nameOf(entry: number): Uint8Array {
    return this.#bytes.subarray(this.#ends[entry], this.#ends[entry + 1]);
  }

  /** Hashes from the end, so that the hash of each parent of a host is known on the way. */
  #search(bytes: Uint8Array, start: number, end: number, withParents: boolean): number {
    let hash = seed;
    let isAfterDot = true;
    let hasParent = false;
    let dots = 0;
    for (let at = end - 1; at >= start; at--) {
      const letter = letters[bytes[at] ?? 0] ?? 0;
      if (letter === 0) return invalid;
      if (letter === 255) return unencoded;
      if (letter === dot) {
        if (isAfterDot) return invalid;
        dots += 1;
        hasParent ||= withParents && dots > 1 && this.#lookUp(bytes, at + 1, end, hash) !== unknown;
      }
      isAfterDot = letter === dot;
      hash = Math.imul(hash ^ letter, prime);
    }
    if (isAfterDot) return invalid;
    const found = this.#lookUp(bytes, start, end, hash);
    return found === unknown && hasParent ? parent : found;
  }

  #lookUp(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1;
    for (let place = spread(hash) & mask; ; place = (place + 1) & mask) {
      const entry = (this.#places[place] ?? 0) - 1;
      if (entry === -1) return unknown;
      if (this.#hashes[entry] === hash && this.#isAt(entry, bytes, start, end)) return entry;
    }
  }

  #isAt(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#ends[entry] ?? 0;
    if ((this.#ends[entry + 1] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at++) {
      if (letters[bytes[at] ?? 0] !== this.#bytes[from + at - start]) return false;
    }
    return true;
  }
}

/** The index has a name that the host ends with. */
const parent = -4;

/** Mixes the upper bits into the lower ones, which select the place. */
const spread = (hash: number) => hash ^ (hash >>> 15);
