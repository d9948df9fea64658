import { parseArgs } from 'node:util';
import { closeDb } from '@/db/client';
import type { ChainHead, ChainReport } from '@/lib/audit/chain-verifier';
import { type ChainProof, proveAuditLog } from '@/lib/audit/prove-chain';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

/**
 * `npm run audit:verify [-- --all] [-- --head=<position>:<hash>]`: verifies that no entry of the audit log was changed,
 * deleted or inserted since the last verification, or with --all since the first entry. With a head noted earlier, also
 * that the end was not truncated; this verifies all entries. Exits with 1 on a difference.
 */
runCommand(async (lifetime) => {
  const { values } = parseArgs({ options: { head: { type: 'string' }, all: { type: 'boolean' } } });
  const expected = values.head === undefined ? undefined : readHead(values.head);
  await useEnvironment(lifetime);
  const onProgress = createProgressPrinter();
  const { report, proof } = await lifetime.own(
    proveAuditLog({ isWhole: values.all ?? false, expected, onProgress }),
    () => closeDb(),
  );
  process.stdout.write(print(report, proof));
  await lifetime.end(report.isSound ? 0 : 1);
});

function readHead(text: string): ChainHead {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!position || !hash) throw new Error('--head must be <position>:<hash>, as printed by an earlier run.');
  return { position: Number(position), hash };
}

const progressMs = 5_000;

/** Prints the position every few seconds. */
function createProgressPrinter() {
  let printedAt = Date.now();
  return (position: number, last: number) => {
    if (Date.now() - printedAt < progressMs) return;
    printedAt = Date.now();
    process.stderr.write(`Verified up to position ${position} of ${last}.\n`);
  };
}

function print(report: ChainReport, { wholeAt }: ChainProof): string {
  const { from, faults, sealed, waiting, head, isSound, olderKeys, anchoredUntil } = report;
  return [
    `Sealed entries   ${sealed}`,
    `Verified         ${from === 0 ? 'all' : `from position ${from + 1} on; "npm run audit:verify -- --all" verifies all`}`,
    `All verified     ${wholeAt ?? 'never without a fault'}`,
    `Waiting          ${waiting}`,
    `Head             ${head ? `${head.position}:${head.hash}` : 'none yet'}`,
    ...olderKeys.map(({ id, until, isHeld }) => {
      const state = isHeld ? 'in SECRET_KEYS' : 'not in SECRET_KEYS';
      const need = until <= anchoredUntil ? 'not needed: an anchor covers it' : 'needed';
      return `Older key        ${id} (${state}), up to position ${until}: ${need}`;
    }),
    '',
    ...faults.map(({ kind, text }) => `  ${kind}: ${text}`),
    ...(faults.length > 0 && faults.every(({ kind }) => kind === 'key missing')
      ? ['The audit log cannot be verified: see the lines above.']
      : [
          isSound
            ? from === 0
              ? 'The audit log is intact.'
              : 'The verified part of the audit log is intact.'
            : 'The audit log was tampered with: see the lines above.',
        ]),
    '',
  ].join('\n');
}
