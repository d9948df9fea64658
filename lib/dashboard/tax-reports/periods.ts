import { z } from 'zod';
import { integerParam } from '@/lib/platform/http/fields';

/** A quarter (UTC) as YYYY-Qn. */
export type Quarter = string;

const firstYear = 2000;
const lastYear = 2100;
/** The longest period of a report in months: five years. */
const longestMonths = 60;

const monthMessage = `Use a month from ${firstYear}-01 to ${lastYear}-12, as YYYY-MM.`;
/** A month in UTC as YYYY-MM. */
const monthParam = z
  .string(monthMessage)
  .regex(/^(20\d\d|2100)-(0[1-9]|1[0-2])$/, { error: monthMessage, abort: true })
  .optional();

/** The fields of a query for months, inclusive. */
export const monthFields = {
  from: monthParam.describe('The first month in UTC as YYYY-MM; the last one by default.'),
  to: monthParam.describe('The last month in UTC as YYYY-MM; the current one by default.'),
};

type Months = { from: string; to: string };
type MonthsQuery = { from?: string | undefined; to?: string | undefined };

/** Returns the first and the last month of a query. */
export const resolveMonths = ({ from, to = currentMonth() }: MonthsQuery): Months => ({ from: from ?? to, to });

const quarterMessage = `Use a quarter from ${firstYear}-Q1 to ${lastYear}-Q4, as YYYY-Qn.`;
/** A quarter in UTC as YYYY-Qn. */
export const quarterField = z.string(quarterMessage).regex(/^(20\d\d|2100)-Q[1-4]$/, quarterMessage);
export const quarterParam = quarterField
  .default(() => quarterOf(currentMonth()))
  .describe('A quarter in UTC as YYYY-Qn; the current one by default.');

export const yearParam = integerParam(firstYear, lastYear)
  .default(() => new Date().getUTCFullYear())
  .describe('A year in UTC; the current one by default.');

export const currentMonth = (): string => new Date().toISOString().slice(0, 7);

/** Returns the quarter of a month (YYYY-MM). */
export const quarterOf = (month: string): Quarter =>
  `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5, 7)) / 3)}`;

/** Returns the month that is so many months after a month (YYYY-MM). */
export function shiftMonth(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)).toISOString().slice(0, 7);
}

/** Returns the quarter that is so many quarters after a quarter. */
export const shiftQuarter = (quarter: Quarter, quarters: number): Quarter =>
  quarterOf(shiftMonth(firstMonthOf(quarter), 3 * quarters));

const firstMonthOf = (quarter: Quarter): string =>
  `${quarter.slice(0, 4)}-${String(3 * Number(quarter.slice(6)) - 2).padStart(2, '0')}`;

/** The first moment of a period and the first moment after it, in UTC as ISO 8601. */
export type Span = { start: string; end: string };

const startOf = (month: string): string => `${month}-01T00:00:00Z`;
export const spanOfMonths = ({ from, to }: Months): Span => ({ start: startOf(from), end: startOf(shiftMonth(to, 1)) });
export const spanOfQuarter = (quarter: Quarter): Span =>
  spanOfMonths({ from: firstMonthOf(quarter), to: shiftMonth(firstMonthOf(quarter), 2) });
export const spanOfYear = (year: number): Span => spanOfMonths({ from: `${year}-01`, to: `${year}-12` });

/** Returns the last day of a quarter as YYYY-MM-DD. */
export const lastDayOf = (quarter: Quarter): string =>
  new Date(Date.parse(spanOfQuarter(quarter).end) - 1).toISOString().slice(0, 10);

/** Refuses months that end before they begin, and more than five years. */
export function checkMonths(query: MonthsQuery, context: z.RefinementCtx): void {
  const { from, to } = resolveMonths(query);
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['from'], message });
  if (from > to) refuse('The first month must not be after the last one.');
  else if (shiftMonth(from, longestMonths) <= to) refuse('Use a period of at most five years.');
}
