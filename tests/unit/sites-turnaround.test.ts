import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTurnaround, turnaroundMessage } from '@/lib/sites/field-values';
import { parseDays } from '@/lib/sites/parse-duration';

const daysOf = (texts: readonly (readonly [text: string, days: number])[]) =>
  texts.map(([text]) => [text, parseTurnaround(text)?.tatDays ?? null]);

const read: [string, number][] = [
  // English, with units, ranges and what surrounds them.
  ...([
    ['5', 5],
    ['7-10', 10],
    ['~5', 5],
    ['5.00', 5],
    ['3.0', 3],
    ['5+', 5],
    ['max 5', 5],
    ['10.5', 11],
    ['3d', 3],
    ['1w', 7],
    ['2wks', 14],
  ] as [string, number][]),
  ...([
    ['5 Days', 5],
    ['1 day', 1],
    ['3 day(s)', 3],
    ["3 days'", 3],
    ['3-day turnaround', 3],
    ['10.5 days', 11],
  ] as [string, number][]),
  ...([
    ['48 hours', 2],
    ['72hrs', 3],
    ['24/48h', 2],
    ['12 h', 1],
    ['25 hours', 2],
    ['24 to 72 hrs.', 3],
    ['90 minutes', 1],
  ] as [string, number][]),
  ...([
    ['1 week (7 days)', 7],
    ['4-6 weeks (max 45 days)', 45],
    ['24 hours to 3 days', 3],
    ['1 week – 10 days', 10],
  ] as [string, number][]),
  ...([
    ['2-3 weeks', 21],
    ['2 to 3 wks', 21],
    ['1 month', 30],
    ['3 fortnights', 42],
    ['1 year', 365],
  ] as [string, number][]),
  ...([
    ['a week', 7],
    ['one day', 1],
    ['two weeks', 14],
    ['two to three weeks', 21],
    ['a couple of days', 2],
    ['twenty-four hours', 1],
    ['twenty one days', 21],
    ['twenty to thirty days', 30],
    ['half a day', 1],
  ] as [string, number][]),
  ...([
    ['same day', 1],
    ['Same-day', 1],
    ['next day', 1],
    ['24h / same day', 1],
    ['tomorrow', 1],
  ] as [string, number][]),
  ...([
    ['5 business days', 5],
    ['3-5 (working) days', 5],
    ['5 business', 5],
    ['5 (five) days', 5],
    ['10 workdays', 10],
  ] as [string, number][]),
  ...([
    ['Up to 3 days', 3],
    ['within 72 hrs', 3],
    ['approx. 3 days after approval', 3],
    ['5+ days', 5],
    ['<5 days', 5],
  ] as [string, number][]),
  ...([
    ['1 day 12 hours', 2],
    ['1 week and 3 days', 10],
    ['1w2d', 9],
    ['3 days - 5', 5],
    ['2–4 days.', 4],
  ] as [string, number][]),
  ...([
    ['1,5 weeks', 11],
    ['1½ weeks', 11],
    ['1,000 hours', 42],
    ['24/48/72h', 3],
    ['５ days', 5],
    ['5\u200b days', 5],
  ] as [string, number][]),
  ...([
    ['max.10 days', 10],
    ['5 w. days', 5],
    ['3-4 w/d', 4],
    ['3 b/d', 3],
    ['5 bussiness days', 5],
    ['1 1/2 weeks', 11],
    ['3 ½ days', 4],
    ['one and a half weeks', 11],
  ] as [string, number][]),
  ...([
    ['3 (three) to 5 (five) days', 5],
    ['a week or two', 14],
    ['3...5 days', 5],
    ['3 ‒ 5 days', 5],
    ['3 & 5 days', 5],
    ['Working days: 3', 3],
    ['Hours: 24', 1],
    ['next business day', 1],
    ['fortnight', 14],
    ['eleven days', 11],
  ] as [string, number][]),
  // Other languages.
  ...([
    ['vingt et un jours', 21],
    ['5 jours/days', 5],
    ['treinta y cinco días', 35],
    ['un par de semanas', 14],
    ['3 journées', 3],
    ['1 dygn', 1],
    ['1 doba', 1],
    ['сутки', 1],
    ['3-х рабочих дней', 3],
    ['3-ch dni', 3],
    ['неделя', 7],
    ['שבוע', 7],
    ['יום אחד', 1],
    ['أسبوع', 7],
  ] as [string, number][]),
  ...([
    ['5營業日', 5],
    ['5个营业日', 5],
    ['翌営業日', 1],
    ['열흘', 10],
    ['2 haftalık', 14],
    ['3 arkipäivän kuluessa', 3],
    ['dva týdny', 14],
  ] as [string, number][]),
  ...([
    ['48 horas', 2],
    ['3 semanas', 21],
    ['1–2 semanas', 14],
    ['de 5 a 7 días hábiles', 7],
    ['una semana', 7],
    ['quince días', 15],
  ] as [string, number][]),
  ...([
    ['3 Tage', 3],
    ['2 Wochen', 14],
    ['36 Stunden', 2],
    ['1 Monat', 30],
    ['ca. eine Woche', 7],
    ['5 bis 7 Werktage', 7],
  ] as [string, number][]),
  ...([
    ['zwei bis drei Wochen', 21],
    ['max. 14 Tage', 14],
    ['3 Arbeitstage', 3],
    ['am selben Tag', 1],
  ] as [string, number][]),
  ...([
    ['3 jours', 3],
    ['3j', 3],
    ['2 à 3 jours ouvrés', 3],
    ['sous 48 heures', 2],
    ['une semaine', 7],
    ['quinze jours', 15],
    ['un mois', 30],
  ] as [string, number][]),
  ...([
    ['3 giorni', 3],
    ['3 gg', 3],
    ['entro 48 ore', 2],
    ['2 settimane', 14],
    ['3-5 giorni lavorativi', 5],
    ['un mese', 30],
  ] as [string, number][]),
  ...([
    ['3 dias úteis', 3],
    ['uma semana', 7],
    ['até 2 meses', 60],
    ['5 dagen', 5],
    ['2 weken', 14],
    ['24 uur', 1],
    ['1 maand', 30],
  ] as [string, number][]),
  ...([
    ['7 dni roboczych', 7],
    ['do 5 dni', 5],
    ['2 tygodnie', 14],
    ['tydzień', 7],
    ['jeden dzień', 1],
    ['24 godziny', 1],
    ['2 miesiące', 60],
  ] as [string, number][]),
  ...([
    ['до 5 рабочих дней', 5],
    ['3-5 дней', 5],
    ['1 неделя', 7],
    ['24 часа', 1],
    ['2 месяца', 60],
    ['3 дні', 3],
    ['2 тижні', 14],
  ] as [string, number][]),
  ...([
    ['3-5 iş günü', 5],
    ['1 hafta', 7],
    ['24 saat', 1],
    ['3 dagar', 3],
    ['2 veckor', 14],
    ['24 timmar', 1],
    ['3 dage', 3],
    ['2 uger', 14],
  ] as [string, number][]),
  ...([
    ['5 arkipäivää', 5],
    ['2 viikkoa', 14],
    ['3 dny', 3],
    ['2 týdny', 14],
    ['3 zile', 3],
    ['2 săptămâni', 14],
    ['3 nap', 3],
    ['1 hét', 7],
  ] as [string, number][]),
  ...([
    ['3 ημέρες', 3],
    ['1 εβδομάδα', 7],
    ['3天', 3],
    ['3-5个工作日', 5],
    ['两周', 14],
    ['1个月', 30],
    ['24小时内', 1],
    ['十五天', 15],
  ] as [string, number][]),
  ...([
    ['3日以内', 3],
    ['２～３営業日', 3],
    ['1週間', 7],
    ['1ヶ月', 30],
    ['3일', 3],
    ['3~5 영업일', 5],
    ['2주 이내', 14],
    ['24시간', 1],
  ] as [string, number][]),
  ...([
    ['٣ أيام', 3],
    ['3 أيام عمل', 3],
    ['أسبوعين', 14],
    ['48 ساعة', 2],
    ['3 दिन', 3],
    ['२ सप्ताह', 14],
    ['48 घंटे', 2],
  ] as [string, number][]),
  ...([
    ['3 hari kerja', 3],
    ['1 minggu', 7],
    ['24 jam', 1],
    ['3 ngày', 3],
    ['1 tuần', 7],
    ['3 ימים', 3],
    ['3 วัน', 3],
  ] as [string, number][]),
];

/** Dates as spreadsheets write them, unknown units, and what is no duration. */
const refused = [
  ...[
    '2-Mar',
    'Mar-2',
    '2 Mar',
    '2. März',
    '2-mars',
    '7-Oct',
    '10-Jul',
    'March 2',
    'Mar 2026',
    '02/03/2026',
    '2/3/26',
    '2/3',
  ],
  ...[
    '2026-03-02',
    '2.3.2026',
    '02-03',
    '2026-03-02 00:00:00',
    'Mon, 2 Mar 2026',
    '3月2日',
    '7.10',
    '1.2.',
    '02.03',
    '46083',
    '2026',
    '2nd March',
    '12:00',
  ],
  ...[
    'soon',
    'ASAP',
    'whenever',
    'days',
    'a few days',
    '3 quarters',
    '3 posts per week',
    '2 links in 3 days',
    'DR 50',
    '24/7',
    '3x',
  ],
  ...[
    '1 a week',
    '1m',
    '50%',
    '$50',
    '3 days, $50',
    'T+3',
    'a week and a half',
    '3 day 2 revisions',
    '1e3',
    'Tier 1: 3 days',
  ],
  ...[
    '24-7',
    '24*7',
    '9-5',
    'once a week',
    'every 3 days',
    '24 hours, 7 days a week',
    '5 days/week',
    '3 jours par semaine',
  ],
  ...['0', '0 days', '-5', '-5 days', '366', '900 days', '53 weeks', '13 months', '10000 hours', '2 years'],
];

describe('a turnaround', () => {
  it('is the longest duration that its text names, in whole days', () => {
    expect(daysOf(read)).toEqual(read);
  });

  it('is refused for a date, an unknown unit and what is no duration of 1 to 365 days', () => {
    expect(refused.map((text) => [text, parseTurnaround(text)])).toEqual(refused.map((text) => [text, null]));
    expect(turnaroundMessage('2-Mar')).toContain('“2-Mar”');
  });

  it('has one form', () => {
    expect(['', '1', '24 hours', '1 week (7 days)', '5 DAYS'].map((text) => parseTurnaround(text)?.tat)).toEqual([
      ...['3 Days', '1 Day', '1 Day', '7 Days', '5 Days'],
    ]);
  });

  const units = [
    ...([
      ['days', 24],
      ['hours', 1],
      ['weeks', 168],
      ['días', 24],
      ['horas', 1],
      ['semanas', 168],
    ] as const),
    ...([
      ['Tage', 24],
      ['Stunden', 1],
      ['Wochen', 168],
      ['jours', 24],
      ['heures', 1],
      ['semaines', 168],
    ] as const),
    ...([
      ['giorni', 24],
      ['ore', 1],
      ['settimane', 168],
      ['dias', 24],
      ['dagen', 24],
      ['uur', 1],
      ['weken', 168],
    ] as const),
    ...([
      ['dni', 24],
      ['godzin', 1],
      ['tygodni', 168],
      ['дней', 24],
      ['часов', 1],
      ['недель', 168],
    ] as const),
    ...([
      ['天', 24],
      ['小时', 1],
      ['周', 168],
      ['日', 24],
      ['時間', 1],
      ['週間', 168],
      ['일', 24],
      ['시간', 1],
      ['주', 168],
    ] as const),
  ];
  const quantity = fc.tuple(
    fc.integer({ min: 1, max: 500 }),
    fc.constantFrom(...units),
    fc.constantFrom('', ' ', '\u00a0'),
  );

  it('reads every number with every unit', () => {
    fc.assert(
      fc.property(quantity, ([number, [unit, hours], space]) => {
        expect(parseDays(`${number}${space}${unit}`)).toBe(Math.ceil((number * hours) / 24));
      }),
      { numRuns: 500 },
    );
  });

  it('counts a range by its larger end, whatever unit each end has', () => {
    const joint = fc.constantFrom(' - ', ' – ', ' to ', ' / ', ' bis ', ' до ', ' ~ ');
    fc.assert(
      fc.property(quantity, quantity, joint, ([one, [unit, hours]], [other, [second, seconds]], by) => {
        const own = Math.max(one * hours, other * seconds);
        expect(parseDays(`${one} ${unit}${by}${other} ${second}`)).toBe(Math.ceil(own / 24));
        expect(parseDays(`${one}${by}${other} ${unit}`)).toBe(Math.ceil((Math.max(one, other) * hours) / 24));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses the dates of every language', () => {
    const locales =
      'en en-GB de es fr it nl pl pt ru uk tr sv da nb fi cs ro hu el zh ja ko ar hi id vi he th hr sk bg fa'.split(
        ' ',
      );
    const styles = [
      { month: 'short' },
      { month: 'long' },
      { month: 'short', year: 'numeric' },
      { month: 'numeric', year: 'numeric' },
    ] as const;
    const read = locales.flatMap((locale) =>
      styles.flatMap((style) => {
        const format = new Intl.DateTimeFormat(locale, { day: 'numeric', timeZone: 'UTC', ...style });
        return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2026, month, 2 + month)));
      }),
    );
    expect(read.filter((text) => parseTurnaround(text) !== null)).toEqual([]);
  });

  it('reads any text without failing, and what it shows as the same again', () => {
    const piece = fc.constantFrom(
      'a',
      'one',
      'half',
      'und',
      'y',
      'to',
      '-',
      '(',
      '3',
      '02',
      'day',
      'hours',
      'Mar',
      '天',
      '十',
      ' ',
      '/',
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const shown = parseTurnaround(typed);
        if (shown) expect(parseTurnaround(shown.tat)).toEqual(shown);
      }),
      { numRuns: 1_000 },
    );
  });
});
