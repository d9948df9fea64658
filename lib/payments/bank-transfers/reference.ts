import { randomInt } from 'node:crypto';

/**
 * Letters only: modulo 97 notices every wrong letter and every swap of two, which it does not between letters and digits.
 * Without vowels, so that no reference is a word, and 0 and 1 do not occur.
 */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const bodyLength = 10;
const bodyPattern = new RegExp(`^[${alphabet}]{${bodyLength}}$`);

/**
 * Returns a text of digits and letters modulo 97, as ISO 7064 (MOD 97-10) and ISO 11649 define it: letters count from
 * A = 10, and a valid reference with its first four characters at the end gives 1.
 */
function mod97(text: string): number {
  let rest = 0;
  for (const character of text)
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

/** Creates an ISO 11649 creditor reference, e.g. RF62KRMTPWQXTB: banks and we notice a wrong character. */
export function createReference(): string {
  const body = Array.from({ length: bodyLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `RF${String(98 - mod97(`${body}RF00`)).padStart(2, '0')}${body}`;
}

/** Formats a reference in groups of four, as banks print it. */
export const formatReference = (reference: string): string => reference.replace(/.{4}(?=.)/g, '$& ');

/**
 * Finds our references in the text of a transfer: with spaces, in lower case, on several lines or between other words.
 * A reference with a wrong character is not found.
 */
export function findReferences(text: string): string[] {
  const characters = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const found = new Set<string>();
  for (let at = characters.indexOf('RF'); at >= 0; at = characters.indexOf('RF', at + 1)) {
    // The check digits are the only place where 0 and 1 stand.
    const digits = characters
      .slice(at + 2, at + 4)
      .replace(/O/g, '0')
      .replace(/[IL]/g, '1');
    const body = characters.slice(at + 4, at + 4 + bodyLength);
    if (/^\d\d$/.test(digits) && bodyPattern.test(body) && mod97(`${body}RF${digits}`) === 1)
      found.add(`RF${digits}${body}`);
  }
  return [...found];
}
