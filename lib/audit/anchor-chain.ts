import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import type { AuditKey } from '@/lib/platform/audit/keys';
import { buildAuditRows } from '@/lib/platform/audit/record';
import { anchorAction } from './chain-verifier';
import { sealAuditLogs } from './seal';
import { verifyAuditChain } from './verify-chain';

/**
 * Makes older keys unnecessary for verification: verifies the whole chain with all keys, and writes an entry, signed
 * with the first key, that contains a digest of the chain up to the head. Does nothing when no older key is needed
 * after the last anchor.
 * @returns the report of the chain, and whether an anchor was written; a chain with faults is not anchored
 */
export async function anchorChain(keys: [AuditKey, ...AuditKey[]]) {
  await sealAuditLogs(keys, Number.POSITIVE_INFINITY);
  const report = await verifyAuditChain(undefined, keys);
  const { head, isSound, olderKeys, anchoredUntil, digest } = report;
  if (!head || !digest || !isSound || !olderKeys.some(({ until }) => until > anchoredUntil))
    return { report, isAnchored: false };
  const [key] = keys;
  const lines = buildAuditRows(
    systemActor(systemActors.keyRotation, 'script'),
    [
      {
        action: anchorAction,
        details: `The audit log was verified up to ${head.position}:${head.hash} and anchored with the key "${key.id}".`,
        entityType: 'system',
        entityId: 'audit-log',
        after: { ...head, digest },
      },
    ],
    keys,
  );
  await db().insert(auditLogs).values(lines);
  await sealAuditLogs(keys, Number.POSITIVE_INFINITY);
  return { report, isAnchored: true };
}
