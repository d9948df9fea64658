import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { settlementLines, settlementPositions } from '@/db/schema/settlement';
import { type PaymentProviderName, type ProviderMode, topups } from '@/db/schema/topups';
import { newId } from '../../ids';
import { failureReason } from '../providers/failure-reason';
import { openProvider } from '../providers/open-provider';
import type { SettlementReader, StatementLine, StatementWindow } from '../providers/settlement-reader';

export type Statement = { provider: PaymentProviderName; mode: ProviderMode };
type Position = typeof settlementPositions.$inferSelect;

/** At most so many pages a run; the next run continues at the stored position. */
const mostPages = 20;
/** How long other instances leave a statement alone that this one reads; longer than one page can take. */
const leaseSeconds = 180;
/** No provider answers longer spans at once. */
const longestSpanMs = 31 * 24 * 60 * 60 * 1000;
/** Money that was at the provider before the first top-up is paid out with it. */
const before = sql`interval '31 days'`;

const isOf = ({ provider, mode }: Statement) =>
  and(eq(settlementPositions.provider, provider), eq(settlementPositions.mode, mode));

/**
 * Reads the lines of a provider's statement that are not stored yet, page by page. Lines and position are stored in one
 * transaction, so that a run that is killed continues where it was. A failure is stored with the position.
 * @returns how many lines are new; null when another instance reads, or there is nothing to read yet
 */
export async function readStatement(statement: Statement, now: Date): Promise<number | null> {
  await begin(statement);
  const position = await take(statement);
  if (!position) return null;
  try {
    const { settlement } = await openProvider(statement.provider, statement.mode);
    const added = await readPages(settlement, position, now);
    await release(statement, null);
    return added;
  } catch (thrown) {
    await release(statement, failureReason(thrown));
    throw thrown;
  }
}

/** Creates the position with the first top-up of a mode. */
async function begin({ provider, mode }: Statement): Promise<void> {
  const [first] = await db()
    .select({ at: sql<Date | null>`min(${topups.createdAt}) - ${before}`.mapWith(topups.createdAt) })
    .from(topups)
    .where(and(eq(topups.provider, provider), eq(topups.mode, mode)));
  if (!first?.at) return;
  await db()
    .insert(settlementPositions)
    .values({ provider, mode, startedAt: first.at, readUntil: first.at, ledgerSeenAt: first.at })
    .onConflictDoNothing();
}

async function take(statement: Statement): Promise<Position | null> {
  const free = or(isNull(settlementPositions.leaseUntil), lt(settlementPositions.leaseUntil, sql`now()`));
  const [taken] = await db()
    .update(settlementPositions)
    .set({ leaseUntil: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(and(isOf(statement), free))
    .returning();
  return taken ?? null;
}

async function release(statement: Statement, error: string | null): Promise<void> {
  await db()
    .update(settlementPositions)
    .set({ leaseUntil: null, error, ...(error === null && { lastReadAt: sql`now()` }) })
    .where(isOf(statement));
}

async function readPages(reader: SettlementReader, first: Position, now: Date): Promise<number> {
  let added = 0;
  let position = first;
  for (let page = 0; page < mostPages; page += 1) {
    const window = windowOf(reader, position, now);
    if (!window) break;
    const { lines, next, openSince } = await reader.read(window, position.cursor);
    const reached = after(position, window, next, openSince);
    const stored = await store(position, lines, reached);
    if (!stored) break;
    added += stored.added;
    position = stored.position;
  }
  return added;
}

/** The window that is being read, or the next one; earlier where a transaction was not final. */
function windowOf(reader: SettlementReader, position: Position, now: Date): StatementWindow | null {
  const { windowFrom, windowUntil, readUntil, readAgainFrom } = position;
  if (windowFrom && windowUntil) return { from: windowFrom, until: windowUntil };
  const earliest = reader.earliest(now);
  const window = reader.nextWindow(latest(readUntil, earliest), now);
  if (!window || !readAgainFrom || readAgainFrom >= window.from) return window;
  const span = window.until.getTime() - window.from.getTime();
  const until = Math.min(window.until.getTime(), readAgainFrom.getTime() + Math.max(span, longestSpanMs));
  return { from: readAgainFrom, until: new Date(until) };
}

const latest = (one: Date, other: Date) => new Date(Math.max(one.getTime(), other.getTime()));

type Reached = Pick<Position, 'windowFrom' | 'windowUntil' | 'cursor' | 'readAgainFrom' | 'readUntil'>;

/** Where reading stands after a page: further in the window, or at its end. */
function after(position: Position, window: StatementWindow, next: string | null, openSince: Date | null): Reached {
  const { readUntil, windowFrom, readAgainFrom } = position;
  // What was open in the window before is read in this one.
  const times = [windowFrom ? readAgainFrom : null, openSince].flatMap((at) => at?.getTime() ?? []);
  const again = times.length > 0 ? new Date(Math.min(...times)) : null;
  if (next !== null) {
    return { windowFrom: window.from, windowUntil: window.until, cursor: next, readAgainFrom: again, readUntil };
  }
  const reached = latest(window.until, readUntil);
  return { windowFrom: null, windowUntil: null, cursor: null, readAgainFrom: again, readUntil: reached };
}

/** @returns null when another instance moved the position meanwhile */
async function store(position: Position, lines: readonly StatementLine[], reached: Reached) {
  return db().transaction(async (tx) => {
    const [moved] = await tx
      .update(settlementPositions)
      .set({ ...reached, leaseUntil: sql`now() + make_interval(secs => ${leaseSeconds})` })
      .where(
        and(
          isOf(position),
          sql`date_trunc('milliseconds', ${settlementPositions.readUntil}) = ${position.readUntil.toISOString()}::timestamptz`,
          sql`${settlementPositions.cursor} is not distinct from ${position.cursor}::text`,
        ),
      )
      .returning();
    if (!moved) return null;
    if (lines.length === 0) return { position: moved, added: 0 };
    const { provider, mode } = position;
    const rows = lines.map(({ topupId, ...line }) => ({
      ...line,
      id: newId(),
      provider,
      mode,
      netMinor: line.grossMinor - line.feeMinor,
      namedTopupId: topupId,
    }));
    const added = await tx
      .insert(settlementLines)
      .values(rows)
      .onConflictDoNothing()
      .returning({ id: settlementLines.id });
    return { position: moved, added: added.length };
  });
}
