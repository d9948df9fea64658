import { closeDb } from '@/db/client';
import { type ResealReport, resealSecrets } from '@/lib/payments/reseal-secrets';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

/**
 * `npm run keys:rotate`: seals every stored secret with the first of SECRET_KEYS. Ends with 1 when one does not open,
 * because its key is missing from the list.
 */
runCommand(async (lifetime) => {
  await useEnvironment(lifetime);
  const report = await lifetime.own(resealSecrets(), () => closeDb());
  process.stdout.write(print(report));
  await lifetime.end(report.unreadable.length === 0 ? 0 : 1);
});

function print({ keyId, resealed, unreadable }: ResealReport): string {
  const done = `${resealed} stored secrets were sealed anew with the key "${keyId}".`;
  if (unreadable.length === 0) {
    return `${done}\nEvery one opens with it now. Older keys are needed for backups made until today, and for nothing else.\n`;
  }
  return `${[done, 'These could not be, and stay as they are:', ...unreadable.map((line) => `  ${line}`)].join('\n')}\n`;
}
