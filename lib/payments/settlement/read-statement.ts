import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { settlementLines, settlementPositions } from '@/db/schema/settlement';
import { type PaymentProviderName, type ProviderMode, topups } from '@/db/schema/topups';
import { newId } from '@/lib/ids';
import { openProvider } from '@/lib/payments/providers/open-provider';
import { failureReason } from '@/lib/payments/providers/provider-calls';
import type { SettlementReader, StatementLine, StatementWindow } from '@/lib/payments/providers/settlement-reader';
import { secondsFromNow } from '@/lib/platform/leases';

export type Statement = { provider: PaymentProviderName; mode: ProviderMode };
type Position = typeof settlementPositions.$inferSelect;

/** Page limit per run; the next run continues at the stored position. */
const maxPages = 20;
/** Lease of a statement; longer than reading one page can take. */
const leaseSeconds = 180;
/** Maximum time range of a request to any provider. */
const maxSpanMs = 31 * 24 * 60 * 60 * 1000;
/** The history before the first top-up that is read: earlier balances are part of the first payouts. */
const historyBeforeFirstTopup = sql`interval '31 days'`;

const isPositionOf = ({ provider, mode }: Statement) =>
  and(eq(settlementPositions.provider, provider), eq(settlementPositions.mode, mode));

/**
 * Reads and stores the new lines of a provider's statement, page by page. Lines and position are stored in one
 * transaction, so that an aborted run is resumed. A failure is stored with the position.
 * @returns the number of new lines; null when another instance holds the lease, or there is nothing to read yet
 */
export async function readStatement(statement: Statement, now: Date): Promise<number | null> {
  await createPosition(statement);
  const position = await acquireLease(statement);
  if (!position) return null;
  try {
    const { settlement } = await openProvider(statement.provider, statement.mode);
    const added = await readPages(settlement, position, now);
    await releaseLease(statement, null);
    return added;
  } catch (thrown) {
    await releaseLease(statement, failureReason(thrown));
    throw thrown;
  }
}

/** Creates the position once the mode has a first top-up. */
async function createPosition({ provider, mode }: Statement): Promise<void> {
  const [first] = await db()
    .select({ at: sql<Date | null>`min(${topups.createdAt}) - ${historyBeforeFirstTopup}`.mapWith(topups.createdAt) })
    .from(topups)
    .where(and(eq(topups.provider, provider), eq(topups.mode, mode)));
  if (!first?.at) return;
  await db()
    .insert(settlementPositions)
    .values({ provider, mode, startedAt: first.at, readUntil: first.at, ledgerSeenAt: first.at })
    .onConflictDoNothing();
}

async function acquireLease(statement: Statement): Promise<Position | null> {
  const free = or(isNull(settlementPositions.leaseUntil), lt(settlementPositions.leaseUntil, sql`now()`));
  const [leased] = await db()
    .update(settlementPositions)
    .set({ leaseUntil: secondsFromNow(leaseSeconds) })
    .where(and(isPositionOf(statement), free))
    .returning();
  return leased ?? null;
}

async function releaseLease(statement: Statement, error: string | null): Promise<void> {
  await db()
    .update(settlementPositions)
    .set({ leaseUntil: null, error, ...(error === null && { lastReadAt: sql`now()` }) })
    .where(isPositionOf(statement));
}

async function readPages(reader: SettlementReader, first: Position, now: Date): Promise<number> {
  let added = 0;
  let position = first;
  for (let page = 0; page < maxPages; page += 1) {
    const window = getWindow(reader, position, now);
    if (!window) break;
    const { lines, next, openSince } = await reader.read(window, position.cursor);
    const reached = advancePosition(position, window, next, openSince);
    const stored = await saveLines(position, lines, reached);
    if (!stored) break;
    added += stored.added;
    position = stored.position;
  }
  return added;
}

/** Returns the window in progress or the next one, which starts earlier when a transaction was not final. */
function getWindow(reader: SettlementReader, position: Position, now: Date): StatementWindow | null {
  const { windowFrom, windowUntil, readUntil, readAgainFrom } = position;
  if (windowFrom && windowUntil) return { from: windowFrom, until: windowUntil };
  const earliest = reader.earliest(now);
  const window = reader.nextWindow(latest(readUntil, earliest), now);
  if (!window || !readAgainFrom || readAgainFrom >= window.from) return window;
  const span = window.until.getTime() - window.from.getTime();
  const until = Math.min(window.until.getTime(), readAgainFrom.getTime() + Math.max(span, maxSpanMs));
  return { from: readAgainFrom, until: new Date(until) };
}

const latest = (one: Date, other: Date) => new Date(Math.max(one.getTime(), other.getTime()));

type Progress = Pick<Position, 'windowFrom' | 'windowUntil' | 'cursor' | 'readAgainFrom' | 'readUntil'>;

/** Returns the position after a page: further in the window, or at its end. */
function advancePosition(
  position: Position,
  window: StatementWindow,
  next: string | null,
  openSince: Date | null,
): Progress {
  const { readUntil, windowFrom, readAgainFrom } = position;
  // Open transactions of the previous window are read in this one.
  const times = [windowFrom ? readAgainFrom : null, openSince].flatMap((at) => at?.getTime() ?? []);
  const again = times.length > 0 ? new Date(Math.min(...times)) : null;
  if (next !== null) {
    return { windowFrom: window.from, windowUntil: window.until, cursor: next, readAgainFrom: again, readUntil };
  }
  const reached = latest(window.until, readUntil);
  return { windowFrom: null, windowUntil: null, cursor: null, readAgainFrom: again, readUntil: reached };
}

/** Returns null when another instance moved the position concurrently. */
async function saveLines(position: Position, lines: readonly StatementLine[], reached: Progress) {
  return db().transaction(async (tx) => {
    const [moved] = await tx
      .update(settlementPositions)
      .set({ ...reached, leaseUntil: secondsFromNow(leaseSeconds) })
      .where(
        and(
          isPositionOf(position),
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
