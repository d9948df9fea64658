const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const fullMonths = [
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

/**
 * Parses a day as people and spreadsheets write it: "2027-01-15", "15 Jan 2027", "January 15th, 2027", "15.01.2027",
 * "15/01/2027", "1/15/2027".
 * @returns YYYY-MM-DD; '' for an empty text; null where the day is unclear ("03/04/2027") or does not exist
 */
export function parseDay(text: string): string | null {
  const typed = text.trim();
  if (typed === '') return '';
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/.exec(typed);
  if (iso) return toDay(iso[1], iso[2], iso[3]);
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(typed);
  if (dotted) return toDay(dotted[3], dotted[2], dotted[1]);
  const numeric = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(typed);
  if (numeric) return parseNumeric(Number(numeric[1]), Number(numeric[2]), numeric[3]);
  const words = typed
    .toLowerCase()
    .replace(/^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[,.]?\s+/, '')
    .replace(/(\d)(?:st|nd|rd|th)\b/, '$1');
  const dayFirst = /^(\d{1,2})\.?[\s-]+(?:of\s+)?([a-z]+)\.?,?[\s-]+(\d{4})$/.exec(words);
  if (dayFirst) return toDay(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]);
  const monthFirst = /^([a-z]+)\.?[\s-]+(\d{1,2}),?[\s-]+(\d{4})$/.exec(words);
  return monthFirst ? toDay(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]) : null;
}

/** Reads "15/01/2027" and "1/15/2027". Both orders are in use, so a day up to 12 is unclear unless they agree. */
function parseNumeric(first: number, second: number, year: string | undefined): string | null {
  if (first > 12) return toDay(year, second, first);
  return second > 12 || first === second ? toDay(year, first, second) : null;
}

function monthOf(name = ''): number {
  const short = name === 'sept' ? 'sep' : name;
  const index = short.length === 3 ? months.indexOf(short) : fullMonths.indexOf(short);
  return index + 1;
}

function toDay(year: unknown, month: unknown, day: unknown): string | null {
  const pad = (value: unknown) => String(Number(value)).padStart(2, '0');
  const text = `${year}-${pad(month)}-${pad(day)}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}
