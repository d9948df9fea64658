import { isFullRun, rotatingThird } from '@/scripts/testing/tier';

/** Occurs only in the texts below, so that tests find and delete stored ones. */
export const marker = 'hostile-text';

/** What PostgreSQL's text cannot hold: a server error wherever a parser does not reject it. */
export const unstorableText = `${marker}\u0000end`;

/** One of each kind: a query, markup, a header, what PostgreSQL's text cannot hold, a path, a prototype, a length. */
export const sharpTexts: readonly string[] = [
  `${marker}' or '1'='1`,
  `${marker}<script>alert(1)</script><img src=x onerror=alert(1)>"'`,
  `${marker}\r\nBcc: attacker@evil.example\r\nSet-Cookie: linkmarket.session=evil\r\n\r\n`,
  unstorableText,
  `${marker}\ud800`,
  `=cmd|'/C calc'!A0 ${marker}`,
  '__proto__',
  'x'.repeat(20_000),
];

/** Texts that have broken queries, pages, mails, headers, parsers and object lookups of other systems. */
export const hostileTexts: readonly string[] = [
  ...sharpTexts,
  `${marker}'); drop table users; --`,
  `${marker}\\'; select pg_sleep(5); --`,
  `${marker}%00%27\${7*7}{{7*7}}<%= 7*7 %>`,
  `\udfff${marker}\ud83d`,
  `../../../../etc/passwd ${marker}`,
  `${marker} \u202e\u2066gpj.exe\ufeff\u200b`,
  `${marker} ${'\u0301'.repeat(200)}`,
  `javascript:alert('${marker}')`,
  `//evil.example/${marker}`,
  'constructor',
  'toString',
];

/** Every kind of JSON value other than text, and numbers at and beyond their limits. */
export const hostileValues: readonly unknown[] = [
  ...[null, true, -1, 1.5, 1e308, 2 ** 53 + 2, [], {}, Array(2_000).fill(1)],
  ...[false, 0, -1e308, 2 ** 31, -(2 ** 31) - 1],
  ...[[[]], [null], [{}], { $gt: '' }, { toString: 'x', valueOf: 'x' }, ['a', 'a']],
];

/** Addresses that an attacker would enter to make the server connect to them. */
export const decoyTexts = (url: string): string[] => [
  url,
  url.replace('http:', 'https:'),
  url.replace('//', '//user:secret@'),
  url.replace('http://', ''),
  url.replace('127.0.0.1', 'localhost'),
];

/**
 * Creates a function that deals values to inputs by name: all in the full run. Otherwise an input gets one in 24, which
 * differs by commit and between the inputs of one name, because these mostly share a parser.
 */
export function createDealer() {
  const turns = new Map<string, number>();
  return <Value>(name: string, values: readonly Value[]): Value[] => {
    if (isFullRun) return [...values];
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    const eighth = values.filter((_, index) => index % 8 === turn % 8);
    return rotatingThird(eighth, Math.floor(turn / 8));
  };
}
