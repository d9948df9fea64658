import postgres from 'postgres';
import { afterAll } from 'vitest';
import type { ChainHead } from '@/lib/audit/chain-verifier';
import { verifyAuditChain } from '@/lib/audit/verify-chain';

/** The connection of an attacker with the owner's rights who can disable the guards. */
const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const auditTables = ['audit_logs', 'audit_seals', 'audit_unsealed'];

/** Runs a statement as the owner, with all triggers enabled. */
export const asOwner = (statement: string) => owner.unsafe(statement);

/** Runs work as the owner, with all triggers disabled. */
export function unguarded(work: (tx: postgres.TransactionSql) => Promise<unknown>) {
  return owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await work(tx);
  });
}

/** Tampers with the data, returns the report of the verification, and restores the data. */
export async function reportAfter(
  tamper: (tx: postgres.TransactionSql) => Promise<unknown>,
  ...proof: [expected?: ChainHead, keys?: Parameters<typeof verifyAuditChain>[1]]
) {
  await unguarded(async (tx) => {
    for (const table of auditTables) await tx.unsafe(`create table kept_${table} as select * from ${table}`);
    await tamper(tx);
  });
  const report = await verifyAuditChain(...proof);
  await unguarded(async (tx) => {
    await tx.unsafe(`truncate ${auditTables.join(', ')}`);
    for (const table of auditTables) {
      await tx.unsafe(`insert into ${table} overriding system value select * from kept_${table}`);
      await tx.unsafe(`drop table kept_${table}`);
    }
  });
  return report;
}
