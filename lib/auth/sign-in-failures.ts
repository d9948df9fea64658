import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { signInFailures } from '@/db/schema/sign-in-failures';
import { users } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import { getNetworkPrefix } from '@/lib/network/addresses';
import { type AuditEntry, recordAudit } from '@/lib/platform/audit/record';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

/** The window in which repeated failures are counted in one entry. */
const windowMinutes = 15;

/** The kinds of failures. `who` is the account's email. */
const kinds = {
  password: { action: 'sign_in.failed', text: (who: string) => `Sign-in to ${who} failed: wrong password.` },
  code: { action: 'sign_in.failed', text: (who: string) => `Sign-in to ${who} failed: wrong second factor.` },
  passkey: { action: 'sign_in.failed', text: () => 'A passkey sign-in failed: the passkey was not accepted.' },
  refused: {
    action: 'sign_in.failed',
    text: (who: string) => `Sign-in to ${who} was refused: its status or role does not allow it.`,
  },
  locked: { action: 'sign_in.locked', text: (who: string) => `Sign-in to ${who} was locked: too many attempts.` },
  confirmation: {
    action: 'reauthentication.failed',
    text: (who: string) => `An incorrect password was entered for ${who} in a running session.`,
  },
  confirmationCode: {
    action: 'reauthentication.failed',
    text: (who: string) => `An incorrect second factor was entered for ${who} in a running session.`,
  },
  confirmationLocked: {
    action: 'reauthentication.locked',
    text: (who: string) => `Confirming the password of ${who} was locked: too many attempts.`,
  },
} as const;

type SignInFailure = keyof typeof kinds;

/** `email` is empty when the attempt named no account. */
type Attempt = { ip: string; requestId: string } & ({ email: string } | { userId: string });

/**
 * Counts a failed sign-in or confirmation, and records the first of each account and network in the audit log. Runs
 * after the response, so that its time reveals nothing about the account. Stores neither the password, the code nor an
 * unknown email, because users type passwords into the wrong field.
 */
export function recordSignInFailure(kind: SignInFailure, attempt: Attempt): void {
  runAfterResponse('sign-in failure', () => countFailure(kind, attempt));
}

/**
 * Runs a step of a sign-in and records its failure.
 * @param failureKind the kind of failure when the step throws unauthenticated
 * @throws the error of `step`
 */
export async function recordStepFailure<T>(
  failureKind: 'password' | 'code' | 'passkey',
  attempt: Attempt,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (thrown) {
    const code = thrown instanceof AppError ? thrown.code : null;
    if (code === 'rate_limited') recordSignInFailure('locked', attempt);
    if (code === 'forbidden') recordSignInFailure('refused', attempt);
    if (code === 'unauthenticated') recordSignInFailure(failureKind, attempt);
    throw thrown;
  }
}

async function countFailure(kind: SignInFailure, attempt: Attempt): Promise<void> {
  const account = await findAccount(attempt);
  const network = getNetworkPrefix(attempt.ip);
  const key = `${kind}:${account?.id ?? ''}|${network}`;
  const [counted] = await db()
    .insert(signInFailures)
    .values({ key, kind, userId: account?.id, network })
    .onConflictDoUpdate({ target: signInFailures.key, set: { count: sql`${signInFailures.count} + 1` } })
    .returning({ count: signInFailures.count });
  if (counted?.count !== 1 || !(await isEntryAllowed(account))) return;
  await db().transaction(async (tx) => {
    await tx.update(signInFailures).set({ isRecorded: true }).where(eq(signInFailures.key, key));
    const actor = systemActor(systemActors.signIn, 'web', { ip: attempt.ip, requestId: attempt.requestId });
    await recordAudit(tx, actor, createEntry(kind, account, network));
  });
}

type Account = { id: string; email: string };

async function findAccount(attempt: Attempt): Promise<Account | undefined> {
  const isIt =
    'userId' in attempt
      ? eq(users.id, attempt.userId)
      : and(eq(sql`lower(${users.email})`, attempt.email.toLowerCase()), isNull(users.deletedAt));
  const [account] = await db().select({ id: users.id, email: users.email }).from(users).where(isIt);
  return account;
}

/** Guesses at unknown accounts do not count against the entries of known ones. */
async function isEntryAllowed(account: Account | undefined): Promise<boolean> {
  try {
    await consumeLimit('failureLines', { account: account ? 'known' : 'unknown', address: '' });
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'rate_limited') return false;
    throw thrown;
  }
}

function createEntry(kind: SignInFailure, account: Account | undefined, network: string): AuditEntry {
  return {
    action: kinds[kind].action,
    details: kinds[kind].text(account?.email ?? 'an account that does not exist'),
    entityType: account ? 'user' : 'network',
    entityId: account?.id ?? (network || 'unknown'),
  };
}

/** The number of windows that one transaction closes, and of transactions in one run. */
const batchSize = 5_000;
const maxBatches = 20;

/**
 * Closes expired windows, as a job: repeated failures get a second entry with their count, and failures without an
 * entry are summed in one for each batch.
 * @returns the number of closed windows
 */
export async function recordFailureCounts(): Promise<Record<'windows', number>> {
  let windows = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const closed = await closeWindows();
    windows += closed;
    if (closed < batchSize) break;
  }
  return { windows };
}

function closeWindows(): Promise<number> {
  return db().transaction(async (tx) => {
    const oldest = tx
      .select({ key: signInFailures.key })
      .from(signInFailures)
      .where(lt(signInFailures.firstAt, sql`now() - make_interval(mins => ${windowMinutes})`))
      .orderBy(signInFailures.firstAt)
      .limit(batchSize)
      .for('update', { skipLocked: true });
    const ended = await tx.delete(signInFailures).where(inArray(signInFailures.key, oldest)).returning();
    const [recorded, unrecorded] = [ended.filter((row) => row.isRecorded), ended.filter((row) => !row.isRecorded)];
    const repeated = recorded.filter(({ count }) => count > 1);
    const accounts = await findAccounts(tx, repeated);
    const entries = repeated.flatMap(({ kind, userId, network, count }): AuditEntry[] => {
      if (!isKind(kind)) return [];
      const entry = createEntry(kind, accounts.get(userId ?? ''), network);
      const details = `${entry.details} ${count} times within ${windowMinutes} minutes from ${network || 'an unknown address'}.`;
      return [{ ...entry, details, after: { count, network } }];
    });
    if (unrecorded.length > 0) entries.push(overflowEntry(unrecorded));
    await recordAudit(tx, systemActor(systemActors.signInFailures, 'job'), ...entries);
    return ended.length;
  });
}

type CountedFailure = typeof signInFailures.$inferSelect;

async function findAccounts(tx: Executor, counted: readonly CountedFailure[]): Promise<Map<string, Account>> {
  const ids = counted.flatMap(({ userId }) => userId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await tx.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Summarizes an attack from many addresses in one entry. */
function overflowEntry(counted: readonly CountedFailure[]): AuditEntry {
  const count = counted.reduce((sum, row) => sum + row.count, 0);
  const networks = new Set(counted.map((row) => row.network)).size;
  const accounts = new Set(counted.flatMap((row) => row.userId ?? [])).size;
  return {
    action: 'sign_in.failed',
    details: `${count} more refused sign-ins were counted together: ${networks} networks, ${accounts} existing accounts.`,
    entityType: 'network',
    entityId: 'many',
    after: { count, networks, accounts },
  };
}

function isKind(kind: string): kind is SignInFailure {
  return Object.hasOwn(kinds, kind);
}
