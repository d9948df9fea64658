import { type KeyObject, sign } from 'node:crypto';
import type postgres from 'postgres';
import { z } from 'zod';
import { canonicalize, parseStatement } from '@/lib/links/passport/verify-proof';

const proofRows = z.array(z.object({ id: z.string(), statement: z.string(), checkedAt: z.date() }));

/**
 * Signs the passports of the history again, because their statements name the times of checks that were dated back.
 * @param tx of the tables' owner, with the trigger of `link_proofs` disabled
 */
export async function signProofsAgain(
  tx: postgres.TransactionSql,
  key: { id: string; privateKey: KeyObject },
): Promise<void> {
  const rows = proofRows.parse([
    ...(await tx`
      select p.id, p.statement, c.at as "checkedAt" from link_proofs p join link_checks c on c.id = p.check_id`),
  ]);
  const signed = rows.map(({ id, statement: before, checkedAt }) => {
    const parsed = parseStatement(before);
    if (!parsed) throw new Error(`The passport ${id} has no statement.`);
    const statement = canonicalize({ ...parsed, checkedAt: checkedAt.toISOString() });
    return {
      id,
      statement,
      signature: sign(null, Buffer.from(statement, 'utf8'), key.privateKey).toString('base64url'),
    };
  });
  await tx`
    update link_proofs as p set statement = s.statement, signature = s.signature, key_id = ${key.id}
    from unnest(${signed.map(({ id }) => id)}::text[], ${signed.map(({ statement }) => statement)}::text[],
      ${signed.map(({ signature }) => signature)}::text[]) as s (id, statement, signature)
    where p.id = s.id`;
}
