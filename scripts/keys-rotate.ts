import { parseArgs } from 'node:util';
import { closeDb } from '@/db/client';
import { anchorChain } from '@/lib/audit/anchor-chain';
import { withdrawProofKey } from '@/lib/links/passport/keys';
import { auditKeys } from '@/lib/platform/audit/keys';
import { type ResealReport, resealSecrets } from '@/lib/workflows/reseal-secrets';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

/**
 * `npm run keys:rotate [-- --withdraw-passport-key=<key id>]`: encrypts every stored secret with the first of
 * SECRET_KEYS, and anchors the audit log with it. With a key id, also withdraws this key of link passports, which makes
 * the passports that it signed invalid. Exits with 1 when a secret cannot be decrypted because its key is missing, or when the audit log is not sound: it
 * then still needs the older keys.
 */
runCommand(async (lifetime) => {
  const { values } = parseArgs({ options: { 'withdraw-passport-key': { type: 'string' } } });
  const withdrawn = values['withdraw-passport-key'];
  await useEnvironment(lifetime);
  const [secrets, audit] = await lifetime.own(rotate(withdrawn), () => closeDb());
  process.stdout.write(print(secrets) + printPassports(secrets, withdrawn) + printAudit(audit));
  await lifetime.end(secrets.unreadable.length === 0 && audit.report.isSound ? 0 : 1);
});

async function rotate(withdrawn: string | undefined) {
  if (withdrawn !== undefined) await withdrawProofKey(withdrawn);
  const secrets = await resealSecrets();
  return [secrets, await anchorChain(auditKeys())] as const;
}

function printPassports({ signingKey }: ResealReport, withdrawn: string | undefined): string {
  const lines = [
    withdrawn !== undefined &&
      `The key ${withdrawn} of link passports was withdrawn. The passports that it signed are not valid any more.`,
    signingKey !== null &&
      `Link passports are signed with the new key ${signingKey}. The previous public key stays published, and its passports stay valid.`,
  ];
  return lines.flatMap((line) => (line ? `${line}\n` : [])).join('');
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
