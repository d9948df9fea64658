const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Hours east of UTC: the names of RFC 822. */
const zones: Partial<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};
/** Names of other zones have several meanings. West of Greenwich a time comes latest: it has then passed everywhere. */
const lastZone = -12;

const zone = String.raw`\s*(?<zone>(?:gmt|utc?)?\s?[+-]\d{1,2}(?::?\d\d)?|(?!(?:all|index|none)\b)[a-z]{1,5})(?:\s*\([\w ]*\))?`;
const clock = String.raw`(?<hour>\d{1,2})(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,]\d+)?)?)?(?:\s*(?<half>[ap])\.?m\b\.?)?(?:${zone})?`;
const thenClock = String.raw`(?:(?:t|,?\s+(?:at\s+)?)${clock}|z)?`;
const weekday = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?`;
const monthName = '(?<monthName>[a-z]{3,9})';
/** What may follow a date in a list of directives. */
const end = String.raw`(?=\s*(?:[,;|]|$)|\s+(?:all|follow|index|max-|no(?!v)))`;

const patterns = [
  // ISO 8601: a day, a month, a year; a day of the year; a week or its day.
  String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})${thenClock}`,
  String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)${thenClock}`,
  String.raw`(?<year>\d{4})(?:-(?<month>\d\d))?`,
  String.raw`(?<year>\d{4})-?(?<yearDay>\d{3})${thenClock}`,
  String.raw`(?<year>\d{4})-?w(?<week>\d\d)(?:-?(?<weekDay>[1-7]))?${thenClock}`,
  // RFC 822, RFC 850 and their successors.
  String.raw`${weekday}(?<day>\d{1,2})[\s/-]+${monthName}\.?,?[\s/-]+(?<year>\d{4}|\d\d)${thenClock}`,
  // "June 25, 2010", and what a Date of JavaScript writes.
  String.raw`${weekday}${monthName}\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})${thenClock}`,
  // asctime() and date(1): "Fri Jun 25 15:00:00 UTC 2010".
  String.raw`${weekday}${monthName}\s+(?<day>\d{1,2})\s+${clock}\s+(?<year>\d{4})`,
  String.raw`(?<year>\d{4})[/.](?<month>\d{1,2})[/.](?<day>\d{1,2})${thenClock}`,
  String.raw`(?<one>\d{1,2})[/.](?<other>\d{1,2})[/.](?<year>\d{4})${thenClock}`,
].map((pattern) => new RegExp(`^${pattern}${end}`, 'i'));

type Fields = Partial<Record<string, string>>;

/** No date of these formats is longer. */
export const maxDateLength = 100;

/**
 * Reads the date at the beginning of a text, in one of the widely used formats: ISO 8601, RFC 822, RFC 850, asctime, and
 * numbers with slashes or dots. Case does not matter. A date without a time is the beginning of its day, a time without a
 * zone is in UTC. Where the order of day and month is open, or a zone is unknown, the latest reading counts.
 * @param text at most `maxDateLength` characters
 * @returns milliseconds since 1970, and the length of the date in the text; null for a text that does not begin with a
 * valid date and the end of a directive
 */
export function readDate(text: string): { time: number; length: number } | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (!match) continue;
    const fields: Fields = match.groups ?? {};
    const timeOfDay = readClock(fields);
    const days = readDays(fields);
    if (timeOfDay === null || days.length === 0) return null;
    return { time: Math.max(...days) + timeOfDay, length: match[0].length };
  }
  return null;
}

/** Returns the days that a date can mean, as milliseconds; none for a day that does not exist. */
function readDays(fields: Fields): number[] {
  const { month, day, monthName, yearDay, week, weekDay, one, other } = fields;
  const year = readYear(fields.year ?? '');
  if (yearDay !== undefined) return dayOf(year, 1, 1, Number(yearDay) - 1).filter((at) => isInYear(at, year));
  if (week !== undefined) {
    if (Number(week) < 1 || Number(week) > 53) return [];
    // The 4th of January is in the first week, which begins on a Monday.
    const first = new Date(Date.UTC(year, 0, 4));
    const sinceMonday = (first.getUTCDay() + 6) % 7;
    return dayOf(year, 1, 4, (Number(week) - 1) * 7 - sinceMonday + Number(weekDay ?? 1) - 1);
  }
  if (one !== undefined) {
    return [...dayOf(year, Number(one), Number(other)), ...dayOf(year, Number(other), Number(one))];
  }
  if (monthName === undefined) return dayOf(year, Number(month ?? 1), Number(day ?? 1));
  return dayOf(year, monthNames.findIndex((name) => name.startsWith(monthName.toLowerCase())) + 1, Number(day));
}

/** Two digits mean 1969 to 2068, as in POSIX. */
function readYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 69 ? 2000 + year : 1900 + year;
}

/** @param later days to add */
function dayOf(year: number, month: number, day: number, later = 0): number[] {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isValid = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isValid ? [date.getTime() + later * 86_400_000] : [];
}

const isInYear = (at: number, year: number) => new Date(at).getUTCFullYear() === year;

/** Returns the milliseconds from the beginning of the day in UTC; null for a time that does not exist. */
function readClock({ hour, minute = '0', second = '0', half, zone = 'z' }: Fields): number | null {
  if (hour === undefined) return 0;
  const isAfternoon = half?.toLowerCase() === 'p';
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  const seconds = (hours * 60 + Number(minute)) * 60 + Number(second);
  if (seconds > 86_400 || Number(minute) > 59 || Number(second) > 60) return null;
  return (seconds - readZone(zone) * 3_600) * 1000;
}

/** Returns the hours by which a zone is ahead of UTC. */
function readZone(name: string): number {
  const [, sign, hours, minutes = '0'] = /([+-])(\d{1,2}):?(\d\d)?$/.exec(name) ?? [];
  if (sign === undefined) return zones[name.toLowerCase()] ?? lastZone;
  return (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60);
}
