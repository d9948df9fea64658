import { readDate } from '@/lib/links/read-date';
import { parseAddress } from '@/lib/network/addresses';
import { getSiteDomainOfHost } from '@/lib/network/registrable-domain';
import { isPublicHost, parseWebAddress } from '@/lib/network/web-address';

/** The part of an address that names its host. */
const authority = /^\s*(?:https?:\/\/|\/\/)?([^\s/?#\\]+)/i;
/** More hosts are read again: a file with a million has few of them twice. */
const maxHosts = 20_000;

/** Reduces addresses to their domains and remembers those of the hosts, because most files repeat them. */
export class DomainReader {
  readonly #known = new Map<string, string | null>();

  /**
   * Returns the domain of a web address, a host or an IP address, as `sites.domain`.
   * @returns null for another text
   */
  read(address: string): string | null {
    const name = authority.exec(address)?.[1];
    if (name === undefined || name.length > 300) return null;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const domain = reduceHost(name);
    if (this.#known.size >= maxHosts) this.#known.clear();
    // A copy: a part of a text keeps the whole chunk of the file in memory.
    this.#known.set(Buffer.from(name).toString(), domain);
    return domain;
  }
}

function reduceHost(typed: string): string | null {
  // The URL parser would not change such a name, and takes longer than all the rest.
  const plain = typed.toLowerCase();
  if (!plain.includes('xn--') && !plain.endsWith('.') && isPublicHost(plain)) return getSiteDomainOfHost(plain);
  const address = parseAddress(typed);
  if (address !== '') return address;
  const host = parseWebAddress(typed)?.url.hostname.replace(/\.$/, '') ?? '';
  // Below a domain a name may have characters that a domain cannot have: my_blog.example.com.
  const domain = getSiteDomainOfHost(host);
  return isPublicHost(domain) ? domain : null;
}

const isoDay = /^\s*(\d{4})-(\d\d)-(\d\d)(?!\d)/;
const maxDays = 20_000;
const knownDays = new Map<string, string | null>();

/**
 * Reads the day of a cell: ISO, with or without a time, as other tools write it, and with the names of months in the
 * languages of Search Console.
 * @returns YYYY-MM-DD; null for another text, and for a day before 1990 or after 2100
 */
export function readDay(cell: string): string | null {
  const text = cell.trim();
  if (text === '' || text.length > 60) return null;
  const iso = isoDay.exec(text);
  const key = iso ? text.slice(0, 10) : text;
  const known = knownDays.get(key);
  if (known !== undefined) return known;
  const day = iso ? formatDay(Number(iso[1]), Number(iso[2]), Number(iso[3])) : parseDay(text);
  if (knownDays.size >= maxDays) knownDays.clear();
  knownDays.set(Buffer.from(key).toString(), day);
  return day;
}

function parseDay(text: string): string | null {
  // Spreadsheets write the day first if they separate it so. With slashes either comes first.
  const dotted = /^(\d{1,2})[.-](\d{1,2})[.-](\d{4})(?!\d)/.exec(text);
  if (dotted) return formatDay(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  const [, seconds] = /^(\d{10})$/.exec(text) ?? [];
  const time = seconds ? Number(seconds) * 1000 : readDate(text)?.time;
  if (time !== undefined) {
    const date = new Date(time);
    return formatDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  }
  const asian = /^(\d{4})\s*[年년.]\s*(\d{1,2})\s*[月월.]\s*(\d{1,2})/.exec(text);
  if (asian) return formatDay(Number(asian[1]), Number(asian[2]), Number(asian[3]));
  const [year = ''] = /(?<!\d)\d{4}(?!\d)/.exec(text) ?? [];
  const [day = ''] = /(?<!\d)\d{1,2}(?!\d)/.exec(text) ?? [];
  const month = (text.toLowerCase().match(/\p{L}+/gu) ?? [])
    .map((word) => monthNumbers().get(word))
    .find((number) => number !== undefined);
  return month === undefined ? null : formatDay(Number(year), month, Number(day));
}

function formatDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 1990 || year > 2100 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}

const monthLanguages = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'uk', 'cs', 'sk', 'sv', 'da', 'nb', 'fi', 'tr', 'ro'],
  ...['hu', 'el', 'bg', 'id', 'vi'],
];
let months: Map<string, number> | undefined;

/** Returns the numbers of months by their names, as a day is written with them. A name with two meanings is left out. */
function monthNumbers(): ReadonlyMap<string, number> {
  if (months) return months;
  const found = new Map<string, Set<number>>();
  for (const language of monthLanguages) {
    for (const style of ['short', 'long'] as const) {
      const format = new Intl.DateTimeFormat(language, {
        day: 'numeric',
        month: style,
        year: 'numeric',
        timeZone: 'UTC',
      });
      for (let month = 0; month < 12; month += 1) {
        const part = format.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === 'month')?.value ?? '';
        const [word] = part.toLowerCase().match(/\p{L}+/u) ?? [];
        if (word) found.set(word, (found.get(word) ?? new Set()).add(month + 1));
      }
    }
  }
  months = new Map([...found].flatMap(([word, numbers]) => (numbers.size === 1 ? [[word, [...numbers][0] ?? 0]] : [])));
  return months;
}
