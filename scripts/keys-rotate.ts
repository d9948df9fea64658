import { closeDb } from '@/db/client';
import { anchorChain } from '@/lib/audit/anchor-chain';
import { auditKeys } from '@/lib/platform/audit/keys';
import { type ResealReport, resealSecrets } from '@/lib/workflows/reseal-secrets';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

/**
 * `npm run keys:rotate`: encrypts every stored secret with the first of SECRET_KEYS, and anchors the audit log with it.
 * Exits with 1 when a secret cannot be decrypted because its key is missing, or when the audit log is not sound: it
 * then still needs the older keys.
 */
runCommand(async (lifetime) => {
  await useEnvironment(lifetime);
  const [secrets, audit] = await lifetime.own(rotate(), () => closeDb());
  process.stdout.write(print(secrets) + printAudit(audit));
  await lifetime.end(secrets.unreadable.length === 0 && audit.report.isSound ? 0 : 1);
});

async function rotate() {
  const secrets = await resealSecrets();
  return [secrets, await anchorChain(auditKeys())] as const;
}

function printAudit({ report, isAnchored }: Awaited<ReturnType<typeof anchorChain>>): string {
  const { isSound, faults, head } = report;
  if (!isSound) {
    const lines = faults.map(({ kind, text }) => `  ${kind}: ${text}`);
    return `${['The audit log is not intact, so it was not anchored and still needs the older keys:', ...lines].join('\n')}\n`;
  }
  return isAnchored
    ? `The audit log was verified and anchored at ${head?.position}:${head?.hash}. It needs no older key.\n`
    : 'The audit log needs no older key.\n';
}

function print({ keyId, resealed, unreadable }: ResealReport): string {
  const done = `${resealed} stored secrets were encrypted again with the key "${keyId}".`;
  if (unreadable.length === 0) {
    return `${done}\nThey can all be decrypted with it. Older keys are needed only for backups created before today.\n`;
  }
  return `${[done, 'These could not be decrypted and stay unchanged:', ...unreadable.map((line) => `  ${line}`)].join('\n')}\n`;
}
