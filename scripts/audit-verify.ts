import { parseArgs } from 'node:util';
import { closeDb } from '@/db/client';
import { type ChainHead, type ChainReport, verifyAuditChain } from '@/lib/audit/verify-chain';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

/**
 * `npm run audit:verify [-- --head=<position>:<hash>]`: verifies that no entry of the audit log was changed, deleted or
 * inserted. With a head noted earlier, also that the end was not truncated. Exits with 1 on a difference.
 */
runCommand(async (lifetime) => {
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const expected = values.head === undefined ? undefined : readHead(values.head);
  await useEnvironment(lifetime);
  const report = await lifetime.own(verifyAuditChain(expected), () => closeDb());
  process.stdout.write(print(report));
  await lifetime.end(report.isSound ? 0 : 1);
});

function readHead(text: string): ChainHead {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!position || !hash) throw new Error('--head must be <position>:<hash>, as printed by an earlier run.');
  return { position: Number(position), hash };
}

function print(report: ChainReport): string {
  const { faults, sealed, waiting, head, isSound, keyedFrom, unsigned, olderKeys, anchoredUntil } = report;
  return [
    `Sealed entries   ${sealed}`,
    `Waiting          ${waiting}`,
    `Head             ${head ? `${head.position}:${head.hash}` : 'none yet'}`,
    `With a key       ${keyedFrom === null ? 'none yet' : `from position ${keyedFrom} on`}`,
    ...(unsigned > 0 ? [`Unsigned         ${unsigned} entries, from an earlier version`] : []),
    ...olderKeys.map(({ id, until, isHeld }) => {
      const state = isHeld ? 'in SECRET_KEYS' : 'not in SECRET_KEYS';
      const need = until <= anchoredUntil ? 'not needed: an anchor covers it' : 'needed';
      return `Older key        ${id} (${state}), up to position ${until}: ${need}`;
    }),
    '',
    ...faults.map(({ kind, text }) => `  ${kind}: ${text}`),
    ...(faults.length > 0 && faults.every(({ kind }) => kind === 'key missing')
      ? ['The audit log cannot be verified: see the lines above.']
      : [isSound ? 'The audit log is intact.' : 'The audit log was tampered with: see the lines above.']),
    '',
  ].join('\n');
}
