import {
  additionWords,
  connectorWords,
  dayMinutes,
  fillerWords,
  foldText,
  numberWords,
  phraseWords,
  qualifierWords,
  unitWords,
} from './duration-words';

type Token = { kind: 'number'; value: number } | { kind: 'word' | 'mark'; text: string };
/** A number with its unit; of several numbers before one unit, the largest. */
type Quantity = { minutes: number; unit: number };

/**
 * Texts that are no duration whatever else they contain: three numbers of a date, a time of day, an exponent, a negative
 * number, and amounts and shares.
 */
const refused =
  /\d\s*([-/.])\s*\d+\s*\1\s*\d+(?![\d\s]*\p{L})|\d\s*:\s*\d|\d[ex][-+]?\d|(?:^|[(:=,;])\s*[-−–]\d|[\p{Sc}%@#]/u;

/** A frequency: "once a week", "every 3 days". */
const frequency = /(?<!\p{L})(?:(?:once|twice) an?|every|раз в|raz w|cada|chaque|ogni)(?!\p{L})/u;

const perWords = new Set(['a', 'per', 'par', 'por', 'pro', 'al', 'alla', 'die']);

/** Marks between two numbers of a range, and between a number and its unit. */
const rangeMarks = new Set([...'-‐‑‒−–—~∼〜/,()&']);
const unitMarks = new Set([...'-‐‑.+()']);

/**
 * Parses a duration in a sentence or a cell: each number has its own unit, of a range and of several durations the longest
 * counts, and hours are rounded up to days: "48 horas" is 2, "1–2 semanas" 14, "4-6 weeks (max 45 days)" 45. A bare number
 * is a number of days.
 * @returns the number of days; null if a number has no unit or an unknown one, as in a date
 */
export function parseDays(text: string): number | null {
  const folded = foldText(text)
    // "3 w. days" and "5 b/d" are working days; "3...5" is a range; "Working days: 3" has the unit before the number.
    .replace(/(?<!\p{L})[bw][\s./-]{1,2}(?=d(?:ays?)?(?!\p{L}))|(?<!\p{L})b(?=days?(?!\p{L}))/gu, '')
    .replace(/(?<=\d)\s?\.{2,3}\s?(?=\d)/g, '-')
    .replace(/(one|\d+) and (?:a )?half(?!\p{L})/gu, (_, whole: string) => `${whole === 'one' ? 1 : whole}.5`)
    // "3 (three) to 5 (five) days".
    .replace(/(?<=\d\s?)\((\p{L}+)\)/gu, (all, word: string) => (numberWords.has(word) ? ' ' : all))
    .replace(/^([\p{L} ]+):\s*(\d[\d\s–-]*)$/u, '$2 $1');
  if (refused.test(folded) || frequency.test(folded)) return null;
  const tokens = tokenize(folded);
  const quantities = readQuantities(tokens) ?? readBareNumbers(tokens, folded);
  if (!quantities || quantities.length === 0) return null;
  const minutes = Math.max(...quantities.map((quantity) => quantity.minutes));
  // Sums of fractions of a day are not exact.
  return Math.ceil(minutes / dayMinutes - 1e-9);
}

/** Scripts that write words without spaces between them. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Longest words of the lists in those scripts. */
const maxUnspaced = 9;

function tokenize(text: string): Token[] {
  return mergeTens(
    [...text.matchAll(/\d+(?:[.,]\d+)?|(?<![\p{L}\d])\.\d+|[\p{L}\p{M}]+|\S/gu)].flatMap(([part]): Token[] => {
      if (/\d/.test(part)) return [{ kind: 'number', value: parseDigits(part) }];
      if (!/^[\p{L}\p{M}]/u.test(part)) return [{ kind: 'mark', text: part }];
      return unspaced.test(part) ? segment(part) : [{ kind: 'word', text: part }];
    }),
  );
}

/** Merges "twenty-four" and "treinta y cinco" into one number. */
function mergeTens(tokens: readonly Token[]): Token[] {
  const merged: Token[] = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    const size = (last?.kind === 'mark' && last.text === '-') || isWordOf(last, additionWords) ? 2 : 1;
    const [tens, ones] = [getWordValue(merged.at(-size)) ?? 0, getWordValue(token) ?? 0];
    const isJoined = tens >= 20 && tens % 10 === 0 && ones >= 1 && ones <= 9 && !isWordOf(token, additionWords);
    if (isJoined) merged.splice(-size, size, { kind: 'number', value: tens + ones });
    else merged.push(token);
  }
  return merged;
}

/** Parses digits with a decimal point or comma; three digits behind it are thousands. */
function parseDigits(digits: string): number {
  return Number(/^\d{1,3}[.,]\d{3}$/.test(digits) ? digits.replace(/[.,]/, '') : digits.replace(',', '.'));
}

/** Splits text without spaces into the longest known words. */
function segment(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at, at + maxUnspaced);
    const [tens, ten = '', one = ''] = /^([一二三四五六七八九]?)十([一二三四五六七八九]?)/.exec(rest) ?? [];
    if (tens !== undefined) {
      const value = 10 * (numberWords.get(ten) ?? 1) + (numberWords.get(one) ?? 0);
      tokens.push({ kind: 'number', value });
      at += tens.length;
      continue;
    }
    let length = rest.length;
    while (length > 1 && !isKnown(rest.slice(0, length))) length -= 1;
    tokens.push({ kind: 'word', text: rest.slice(0, length) });
    at += length;
  }
  return tokens;
}

const isKnown = (word: string) =>
  [unitWords, numberWords, phraseWords, connectorWords, additionWords, qualifierWords].some((words) => words.has(word));

const isWordOf = (token: Token | undefined, words: { has(text: string): boolean }) =>
  token?.kind === 'word' && words.has(token.text);
const isConnector = (token: Token | undefined) =>
  isWordOf(token, connectorWords) ||
  isWordOf(token, additionWords) ||
  isWordOf(token, fillerWords) ||
  isWordOf(token, qualifierWords) ||
  (token?.kind === 'mark' && rangeMarks.has(token.text));
const isAddition = (token: Token) => isWordOf(token, additionWords) || (token.kind === 'mark' && token.text === '+');

/** Returns the position of the unit of the number before `at`; null if it has none. */
function findUnit(tokens: readonly Token[], at: number): { end: number; unit: number } | null {
  let end = at;
  for (; ; end += 1) {
    const token = tokens[end];
    if (token?.kind === 'word') {
      const unit = unitWords.get(token.text);
      if (unit !== undefined) return { end: end + 1, unit };
      if (!qualifierWords.has(token.text)) return null;
    } else if (token?.kind !== 'mark' || !unitMarks.has(token.text)) return null;
  }
}

/** Returns the position of a number that connectors join to the one before `at`; null if there is none. */
function findNextNumber(tokens: readonly Token[], at: number): number | null {
  for (let next = at; next < tokens.length; next += 1) {
    const isNumber =
      tokens[next]?.kind === 'number' || (getWordValue(tokens[next]) !== undefined && hasUnit(tokens, next));
    if (next > at && isNumber) return next;
    if (!isConnector(tokens[next])) return null;
  }
  return null;
}

const getWordValue = (token: Token | undefined) => (token?.kind === 'word' ? numberWords.get(token.text) : undefined);
const hasUnit = (tokens: readonly Token[], at: number) => findUnit(tokens, skipArticle(tokens, at)) !== null;

/** Returns the number at a position. A word counts as a number only before a unit or a range: "a" in "a week". */
function getNumber(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at];
  if (token?.kind === 'number') return token.value;
  const value = getWordValue(token);
  const isNumber = value !== undefined && (hasUnit(tokens, at) || findNextNumber(tokens, at + 1) !== null);
  return isNumber ? value : null;
}

/** Returns the position behind a number word, and behind the article of "half a day". */
function skipArticle(tokens: readonly Token[], at: number): number {
  return getWordValue(tokens[at]) === 0.5 && getWordValue(tokens[at + 1]) === 1 ? at + 2 : at + 1;
}

/** Returns the longest phrase that begins at a position, as "same day" or "same-day". */
function findPhrase(tokens: readonly Token[], at: number): { end: number; minutes: number } | null {
  let found: { end: number; minutes: number } | null = null;
  let words = '';
  for (let end = at; end < Math.min(tokens.length, at + 7); end += 1) {
    const token = tokens[end];
    if (token?.kind === 'mark' && token.text === '-' && words !== '') continue;
    if (token?.kind !== 'word') break;
    words = words === '' ? token.text : `${words} ${token.text}`;
    const minutes = phraseWords.get(words);
    if (minutes !== undefined) found = { end: end + 1, minutes };
  }
  return found;
}

/** Reads the numbers with units. @returns null if there are none, [] if the text cannot be read */
function readQuantities(tokens: readonly Token[]): Quantity[] | null {
  const found: Quantity[] = [];
  /** The numbers of a range before the one with the unit. */
  let range: number[] = [];
  let between: Token[] = [];
  let hasBare = false;
  const add = (quantity: Quantity) => {
    const last = found.at(-1);
    const isSum = last && between.every(isAddition) && quantity.minutes < last.unit;
    if (isSum) found.splice(-1, 1, { minutes: last.minutes + quantity.minutes, unit: quantity.unit });
    else found.push(quantity);
    range = [];
    between = [];
  };
  for (let at = 0; at < tokens.length; ) {
    const phrase = findPhrase(tokens, at);
    if (phrase) {
      add({ minutes: phrase.minutes, unit: phrase.minutes });
      at = phrase.end;
      continue;
    }
    const token = tokens[at];
    const value = getNumber(tokens, at);
    if (!token) break;
    if (value === null) {
      const word = getWordValue(token) ?? 0;
      // "A week and a half" has a half without a unit.
      if (word === 0.5) return [];
      // "A day or two" has the unit before the larger number.
      const last = found.at(-1);
      if (word > 1 && last && between.length > 0 && between.every(isConnector))
        add({ ...last, minutes: word * last.unit });
      between.push(token);
      at += 1;
      continue;
    }
    range.push(value);
    const own = findUnit(tokens, skipArticle(tokens, at));
    if (own) {
      if (isFrequency(tokens, own)) return [];
      add({ minutes: Math.max(...range) * own.unit, unit: own.unit });
      at = own.end;
      continue;
    }
    const next = findNextNumber(tokens, at + 1);
    if (next === null) {
      if (hasUnknownUnit(tokens, at + 1)) return [];
      // "3 days - 5" has the unit before the range.
      const last = found.at(-1);
      if (last && between.length > 0 && between.every(isConnector))
        add({ ...last, minutes: Math.max(...range) * last.unit });
      else hasBare = true;
    }
    at = next ?? at + 1;
  }
  if (found.length === 0) return null;
  return hasBare ? [] : found;
}

/** Checks whether "a week" or "per month" follows a unit, as in "7 days a week"; "5 jours/days" is in two languages. */
function isFrequency(tokens: readonly Token[], { end, unit: own }: { end: number; unit: number }): boolean {
  const by = tokens[end];
  if (!isWordOf(by, perWords) && !(by?.kind === 'mark' && by.text === '/')) return false;
  const next = tokens[end + 1];
  const unit = next?.kind === 'word' && next.text === 'la' ? tokens[end + 2] : next;
  return unit?.kind === 'word' && (unitWords.get(unit.text) ?? 0) > own;
}

/** Checks whether a word follows that is neither a unit nor one that can stand beside a number. */
function hasUnknownUnit(tokens: readonly Token[], at: number): boolean {
  const token = tokens.slice(at).find((one) => one.kind !== 'mark' || !unitMarks.has(one.text));
  return token?.kind === 'word' && !isConnector(token);
}

/** Reads a text of numbers without units, which are days: "5", "7-10", "max. 5". */
function readBareNumbers(tokens: readonly Token[], text: string): Quantity[] | null {
  const isPlain = tokens.every((token) => token.kind !== 'word' || isConnector(token));
  const values = tokens.flatMap((token) => (token.kind === 'number' ? [token.value] : []));
  // "2/3", "02-03", "7.10" and "1.2." are dates as well.
  const isDate = values.length > 1 ? /\/|(?<!\d)0\d|\d\.\s+\d/.test(text) : /\d[.,](?!00)\d\d|\d\.\d+\./.test(text);
  // "24-7" and "9-5" are opening hours.
  const isDescending = values.length === 2 && (values[0] ?? 0) > (values[1] ?? 0);
  return isPlain && !isDate && !isDescending
    ? values.map((value) => ({ minutes: value * dayMinutes, unit: dayMinutes }))
    : null;
}
