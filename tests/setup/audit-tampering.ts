import postgres from 'postgres';
import { afterAll } from 'vitest';
import { type ChainHead, verifyAuditChain } from '@/lib/audit/verify-chain';

/** A person with the owner's rights who knows how to switch the guards off. */
const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const auditTables = ['audit_logs', 'audit_seals', 'audit_unsealed'];

/** Statements of the owner, with all triggers in force. */
export const asOwner = (statement: string) => owner.unsafe(statement);

/** Work of the owner, past every trigger. */
export function unguarded(work: (tx: postgres.TransactionSql) => Promise<unknown>) {
  return owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await work(tx);
  });
}

/** Tampers, looks at what the proof says, and puts everything back. */
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
