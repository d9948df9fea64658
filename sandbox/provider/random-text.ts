import { randomInt } from 'node:crypto';

export const digits = '0123456789';
export const capitals = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${digits}`;
export const letters = `abcdefghijklmnopqrstuvwxyz${capitals}`;

/** So many characters of an alphabet, for identifiers that look like the real ones. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
