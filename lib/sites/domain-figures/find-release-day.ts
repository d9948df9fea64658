import { basename } from 'node:path';
import { AppError } from '@/lib/errors';

/** The day of a list, and where it was found. */
export type ReleaseDay = { day: string; from: 'option' | 'name' | 'file' };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** A release of Common Crawl: its years and months, of which the last one ends it. */
const release = new RegExp(`cc-main-20(\\d\\d)(?:-(\\d\\d))?((?:-(?:${months.join('|')}))+)`);
const firstDay = '2000-01-01';
const toDay = (date: Date) => date.toISOString().slice(0, 10);
/** The last day of a month from 1. */
const lastDay = (year: number, month: number) => toDay(new Date(Date.UTC(year, month, 0)));

/**
 * Finds the day of a list: the one given, else that of its name, else the day the file was changed. A month or quarter in
 * the name stands for its last day, as the list covers all of it. A day in the future is none.
 * @throws AppError invalid_input for a given day that does not exist or is in the future
 */
export function findReleaseDay(path: string, given: string | undefined, changedAt: Date, now = new Date()): ReleaseDay {
  const today = toDay(now);
  if (given !== undefined) {
    if (!isDay(given) || given < firstDay || given > today)
      throw new AppError('invalid_input', `--as-of must be a day from ${firstDay} to today, ${today}: YYYY-MM-DD.`);
    return { day: given, from: 'option' };
  }
  const named = findDayInName(basename(path).toLowerCase());
  if (named !== null && named >= firstDay && named <= today) return { day: named, from: 'name' };
  return { day: toDay(changedAt < now ? changedAt : now), from: 'file' };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && toDay(date) === text;
}

/** Reads `2025-09-14`, `20250914`, `2025-09`, `202509`, and Common Crawl's `cc-main-2025-26-nov-dec-jan`. */
function findDayInName(name: string): string | null {
  const [, first = '', second = first, list] = release.exec(name) ?? [];
  if (list !== undefined) return lastDay(2000 + Number(second), months.indexOf(list.slice(-3)) + 1);
  const date = /(?<!\d)(20\d\d)([-_]?)(0[1-9]|1[0-2])(?:\2([0-3]\d))?(?!\d)/.exec(name);
  if (!date) return null;
  const [, year, , month, day] = date;
  if (day === undefined) return lastDay(Number(year), Number(month));
  return isDay(`${year}-${month}-${day}`) ? `${year}-${month}-${day}` : null;
}
