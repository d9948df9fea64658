import { checkVAT, countries as definitions } from 'jsvat';
import { euCountries, getIdPrefix, vatTerritory } from './countries';

/** The definitions of jsvat by ISO 3166-1 alpha-2 code. */
const definitionOf = new Map(definitions.map((definition) => [definition.codes[0] ?? '', definition]));

/** A tax number of a country whose form is not known: letters and digits in groups. */
const plausible = /^(?=.*\d)[\p{L}\p{N}]+([ ./-][\p{L}\p{N}]+)*$/u;
const maxLength = 30;

/** Whether VIES knows the VAT ids of a country. */
export const isInVies = (country: string): boolean => euCountries.has(vatTerritory(country));

/**
 * Parses a VAT identification number as people write it: with or without its prefix, in any case, with spaces, dots and
 * dashes. It must belong to the billing country. Form and checksum are checked for the European Union, Great Britain,
 * Switzerland and Norway; any plausible tax number of another country is accepted.
 * @returns the number with its prefix and without separators, '' for an empty text; or the problem
 */
export function parseVatId(text: string, country: string): { vatId: string } | { problem: string } {
  const line = text.normalize('NFKC').replace(/\s+/g, ' ').trim().toUpperCase();
  if (line === '') return { vatId: '' };
  const territory = vatTerritory(country);
  const prefix = getIdPrefix(country);
  if (prefix === null) {
    return line.length <= maxLength && plausible.test(line)
      ? { vatId: line }
      : { problem: 'Enter a tax number of letters and digits, or leave it out.' };
  }
  // Not + and *, which older Irish ids have.
  const compact = line.replace(/[\s.,:;/_\p{Pd}]/gu, '');
  // Greece's prefix is EL, but many write its country code.
  const written = compact.replace(/^GR(?=\d{9}$)/, 'EL');
  // A French or Spanish number can itself begin with the letters of its prefix.
  const vatId = [written, prefix + written].find((id) => id.startsWith(prefix) && isValid(id, territory));
  // Belgian numbers had nine digits before they got a leading 0.
  if (vatId !== undefined) return { vatId: vatId.replace(/^BE(?=\d{9}$)/, 'BE0') };
  const other = definitions.find(({ codes }) => codes[0] !== territory && isValid(written, codes[0] ?? ''));
  const isForeign = other !== undefined && /^[A-Z]{2}/.test(written) && !written.startsWith(prefix);
  return {
    problem: isForeign
      ? `This VAT id is of ${other.name}. Enter that of your billing country, which begins with ${prefix}.`
      : `This VAT id is not valid. It begins with ${prefix}; check its digits.`,
  };
}

/**
 * Checks whether a stored number is a VAT identification number with the prefix of its country, as EN 16931 requires of one
 * (BR-CO-09), and not the tax number of a country whose numbers have no known form.
 */
export function isVatId(number: string): boolean {
  const prefix = number.slice(0, 2);
  const country = prefix === 'EL' ? 'GR' : prefix;
  const parsed = getIdPrefix(country) === null ? null : parseVatId(number, country);
  return parsed !== null && 'vatId' in parsed && parsed.vatId === number;
}

function isValid(id: string, country: string): boolean {
  const definition = definitionOf.get(country);
  return (definition !== undefined && checkVAT(id, [definition]).isValid) || (unknownForms[country]?.(id) ?? false);
}

/** The forms that jsvat 2.5.4 refuses. */
const unknownForms: Readonly<Record<string, (id: string) => boolean>> = {
  // Since 2023 they begin with 1.
  BE: (id) => {
    const [, body, check] = /^BE(1\d{7})(\d{2})$/.exec(id) ?? [];
    return body !== undefined && 97 - (Number(body) % 97) === Number(check);
  },
  // Since March 2023 they begin with 6. How their letter is computed is not published.
  CY: (id) => /^CY6\d{7}[A-Z]$/.test(id),
  // The second letter of those since 2013, of which jsvat knows A and H.
  IE: (id) => {
    const [, digits, check, letter = ''] = /^IE(\d{7})([A-W])([A-IW])$/.exec(id) ?? [];
    const sum = [...(digits ?? '')].reduce((total, digit, at) => total + Number(digit) * (8 - at), 0);
    return check !== undefined && irishLetters[(sum + 9 * irishLetters.indexOf(letter)) % 23] === check;
  },
  // Personal codes since July 2017 begin with 32 and have neither a date nor a checksum.
  LV: (id) => /^LV32\d{9}$/.test(id),
};

const irishLetters = 'WABCDEFGHIJKLMNOPQRSTUV';
