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
    return `${['The audit log is not sound, so it was not anchored and still needs the older keys:', ...lines].join('\n')}\n`;
  }
  return isAnchored
    ? `The audit log was proven and anchored at ${head?.position}:${head?.hash}. It needs no older key.\n`
    : 'The audit log needs no older key.\n';
}

function print({ keyId, resealed, unreadable }: ResealReport): string {
  const done = `${resealed} stored secrets were sealed anew with the key "${keyId}".`;
  if (unreadable.length === 0) {
    return `${done}\nEvery one opens with it now. Of the secrets, older keys are needed for backups made until today only.\n`;
  }
  return `${[done, 'These could not be, and stay as they are:', ...unreadable.map((line) => `  ${line}`)].join('\n')}\n`;
}
