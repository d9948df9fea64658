/** Which sign a file writes before decimals; `mixed` when it uses both, `unknown` when no cell tells. */
export type NumberStyle = 'point' | 'comma' | 'mixed' | 'unknown';

/**
 * What three digits behind a single separator are ("1,234") when nothing else tells: of a score always decimals, of a
 * count always thousands, of money whatever the file's style says, and thousands in a file without one.
 */
export type NumberKind = 'score' | 'count' | 'money';

export type ReadNumber = { decimal: `${number}` } | { problem: 'unreadable' | 'ambiguous' };

const unreadable: ReadNumber = { problem: 'unreadable' };
const power: Record<string, number> = { k: 3, m: 6, b: 9 };

/**
 * A number as people and spreadsheets write it: "1,200", "1.200", "1 200", "12K", "1.2M", "1.2E+05", "5 %", "35,50".
 * Negative numbers are none here.
 * @returns exact decimal text, for lib/money.ts or Number()
 */
export function readNumber(cell: string, kind: NumberKind, style: NumberStyle): ReadNumber {
  if (/^\d{1,15}$/.test(cell)) return plain(cell, '', 0);
  const parts = numberParts(cell);
  if (!parts) return unreadable;
  const { body, shift } = parts;
  const marks = body.replace(/\d/g, '');
  const last = marks.at(-1);
  if (last === undefined) return plain(body, '', shift);
  const [whole = '', fraction = ''] = [body.slice(0, body.lastIndexOf(last)), body.slice(body.lastIndexOf(last) + 1)];
  if (marks.length === 1) {
    if (shift === 0 && isOpen(body) && kind !== 'score') {
      if (kind === 'money' && style === 'mixed') return { problem: 'ambiguous' };
      const isDecimal = kind === 'money' && style === (last === '.' ? 'point' : 'comma');
      if (!isDecimal) return plain(whole + fraction, '', shift);
    }
    return plain(whole, fraction, shift);
  }
  if (isGrouped(body, last)) return plain(body.replaceAll(last, ''), '', shift);
  const other = last === '.' ? ',' : '.';
  if (!isGrouped(whole, other)) return unreadable;
  return plain(whole.replaceAll(other, ''), fraction, shift);
}

/** The sign before decimals that this cell gives away; null when it tells nothing. */
export function decimalMarkOf(cell: string): '.' | ',' | null {
  if (/^\d*$/.test(cell)) return null;
  const parts = numberParts(cell);
  const marks = parts?.body.replace(/\d/g, '') ?? '';
  const last = marks.at(-1);
  if (!parts || (last !== '.' && last !== ',')) return null;
  if (marks.length === 1) return parts.shift === 0 && isOpen(parts.body) ? null : last;
  if (isGrouped(parts.body, last)) return last === '.' ? ',' : '.';
  return marks.indexOf(last) === marks.length - 1 ? last : null;
}

/** The digits with their separators, and how many places the suffix or exponent moves the point. */
function numberParts(cell: string): { body: string; shift: number } | null {
  const trimmed = cell.trim();
  const text = /[\s'’]/.test(trimmed) ? trimmed.replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/gu, '') : trimmed;
  const match = /^\+?((?:\d[\d.,]*|[.,]\d+))(?:e\+?(\d{1,2})|\s*([kmb]))?\s*[+%]?$/i.exec(text);
  if (!match?.[1] || match[1].length > 30) return null;
  return { body: match[1], shift: match[2] ? Number(match[2]) : (power[(match[3] ?? '').toLowerCase()] ?? 0) };
}

/** Could be thousands or decimals: one separator with one to three digits before it and exactly three behind. */
const isOpen = (body: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(body);

/** Thousands in groups of three, or of two and a last three as India writes them. */
function isGrouped(body: string, mark: string): boolean {
  const groups = body.split(mark);
  return (
    groups.length > 1 &&
    groups.every((group, at) =>
      (at === 0 ? /^\d{1,3}$/ : at === groups.length - 1 ? /^\d{3}$/ : /^\d{2,3}$/).test(group),
    )
  );
}

/** Moves the point right without ever going through a float. */
function plain(whole: string, fraction: string, shift: number): ReadNumber {
  const padded = fraction.padEnd(shift, '0');
  const digits = `${whole}${padded.slice(0, shift)}`.replace(/^0+(?=\d)/, '') || '0';
  const rest = padded.slice(shift);
  return { decimal: asDecimal(rest === '' ? digits : `${digits}.${rest}`) };
}

/** Made of digits and at most one point, which is what the type says. */
function asDecimal(text: string): `${number}` {
  return text as `${number}`;
}
