import { randomInt } from 'node:crypto';

export const digits = '0123456789';
export const capitals = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${digits}`;
export const letters = `abcdefghijklmnopqrstuvwxyz${capitals}`;

/** Returns random characters of an alphabet, for ids in a provider's format. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
