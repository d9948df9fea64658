import { desc, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditSeals, chainProofs } from '@/db/schema/audit';
import { type Actor, type AnyActor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { newId } from '@/lib/ids';
import { type AuditKey, auditKeys, isSignedProof, signProof } from '@/lib/platform/audit/keys';
import { recordAudit } from '@/lib/platform/audit/record';
import type { ChainHead, ChainReport } from './chain-verifier';
import { verifiedChain } from './chain-verifier';
import { requestProof, runRequestedProof } from './proof-requests';
import { hasAnchorBehind, verifyAuditChain } from './verify-chain';

const statementSchema = z.object({
  ranAt: z.iso.datetime(),
  isSound: z.boolean(),
  /** The position behind which seals were verified; 0 for the whole chain. */
  from: z.int(),
  faults: z.array(z.string()),
  /** The chain as far as it was verified. */
  verified: verifiedChain.nullable(),
  /** When the whole chain was last verified without a fault. */
  wholeAt: z.iso.datetime().nullable(),
});

/** The result of a verification of the audit log. */
export type ChainProof = z.output<typeof statementSchema>;

type ProveOptions = {
  /** Verifies the whole chain instead of the entries since the last verification. */
  isWhole?: boolean;
  /** A head that was recorded earlier; verifies the whole chain. */
  expected?: ChainHead | undefined;
  /** Receives the last verified position, and the last of the chain. */
  onProgress?: (position: number, last: number) => Promise<void> | void;
};

/**
 * Verifies what was sealed since the last verification, or the whole chain, and stores the signed result. Verifies the
 * whole if there is no earlier result, if the last one had faults, or if the key was changed since.
 * @throws AppError conflict while another verification runs
 */
export async function proveAuditLog(
  { isWhole = false, expected, onProgress }: ProveOptions = {},
  keys: readonly [AuditKey, ...AuditKey[]] = auditKeys(),
): Promise<{ report: ChainReport; proof: ChainProof }> {
  const last = await getLastChainProof(keys);
  const verified = isWhole || expected ? null : await findContinuation(last);
  const report = await verifyAuditChain(expected, keys, { verified, onProgress, isExclusive: true });
  const ranAt = new Date().toISOString();
  const proof: ChainProof = {
    ranAt,
    isSound: report.isSound,
    from: report.from,
    faults: report.faults.map(({ kind, text }) => `${kind}: ${text}`),
    verified: report.verified,
    wholeAt: verified === null && report.isSound ? ranAt : (last?.wholeAt ?? null),
  };
  const statement = JSON.stringify(proof);
  // A standby accepts no writes.
  const [{ isStandby }] = standby.parse([...(await db().execute(sql`select pg_is_in_recovery() as "isStandby"`))]);
  if (isStandby) return { report, proof };
  await db()
    .insert(chainProofs)
    .values({ id: newId(), statement, mac: signProof(statement, keys[0]) });
  return { report, proof };
}

/** Returns the verified part from which a verification can continue; null if the whole must be verified. */
async function findContinuation(last?: ChainProof | null): Promise<ChainProof['verified']> {
  const proof = last === undefined ? await getLastChainProof() : last;
  if (!proof?.isSound || !proof.verified) return null;
  return (await hasAnchorBehind(proof.verified.position)) ? null : proof.verified;
}

const standby = z.tuple([z.object({ isStandby: z.boolean() })]);

/** Up to this number of entries, a request verifies the whole itself. */
const fewEntries = 20_000;

/**
 * Verifies the audit log for an admin, and records it. The job `verify-audit-log` verifies the whole of a long log.
 * @returns whether the log is intact; null when the verification was requested
 * @throws AppError conflict while another verification runs
 */
export async function runChainProof(actor: Actor, { isWhole }: { isWhole: boolean }) {
  if ((isWhole || !(await findContinuation())) && (await hasManyEntries())) {
    await requestProof('audit-log', actor.userId);
    return { isSound: null };
  }
  return proveAndRecord(actor, { isWhole });
}

/** Runs the requested verification of the whole log, if there is one. @returns the number of verifications */
export const runRequestedChainProof = (): Promise<Record<'proofs', number>> =>
  runRequestedProof('audit-log', (_, onProgress) =>
    proveAndRecord(systemActor(systemActors.auditLog, 'job'), {
      isWhole: true,
      onProgress: (position, last) => onProgress(position / Math.max(last, 1)),
    }),
  );

async function hasManyEntries(): Promise<boolean> {
  const rows = await db().select({ position: auditSeals.position }).from(auditSeals).limit(1).offset(fewEntries);
  return rows.length > 0;
}

async function proveAndRecord(actor: AnyActor, options: ProveOptions): Promise<{ isSound: boolean }> {
  const { proof } = await proveAuditLog(options);
  const scope = proof.from === 0 ? 'The whole audit log' : `The audit log from position ${proof.from + 1}`;
  await recordAudit(db(), actor, {
    action: 'audit.verified',
    details: `${scope} was verified: ${proof.isSound ? 'intact' : `${proof.faults.length} faults`}.`,
    entityType: 'system',
    entityId: 'audit-log',
    after: { isSound: proof.isSound, from: proof.from, position: proof.verified?.position ?? 0 },
  });
  return { isSound: proof.isSound };
}

/** Rows without a valid signature are ignored; a few could hide the last valid one for a while. */
const readRows = 20;

/** Returns the latest result with a valid signature, by its signed time; null before the first. */
export async function getLastChainProof(keys: readonly AuditKey[] = auditKeys()): Promise<ChainProof | null> {
  const rows = await db().select().from(chainProofs).orderBy(desc(chainProofs.id)).limit(readRows);
  const valid = rows.flatMap(({ statement, mac }) =>
    isSignedProof(statement, mac, keys) ? [statementSchema.parse(JSON.parse(statement))] : [],
  );
  return valid.sort((one, other) => (one.ranAt < other.ranAt ? 1 : -1))[0] ?? null;
}
