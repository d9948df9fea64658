import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { withLock } from '../process/lock';

/** What each secret of a demo looks like when it is made. */
const makers = {
  NEXTAUTH_SECRET: () => randomBytes(32).toString('base64url'),
  SECRET_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${randomBytes(24).toString('hex')}`,
};

export type Secrets = Record<keyof typeof makers, string>;

/**
 * The secrets of a demo, made once and kept in `<dataDir>/secrets.json` for its owner alone. A later version that needs
 * one more adds it and keeps the others: with another key, what is encrypted in the database could not be read.
 */
export function demoSecrets(dataDir: string): Promise<Secrets> {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const file = join(dataDir, 'secrets.json');
  return withLock(`${file}.lock`, async () => {
    const kept = existsSync(file) ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
    const take = (name: keyof Secrets) => kept[name] ?? makers[name]();
    const secrets: Secrets = {
      NEXTAUTH_SECRET: take('NEXTAUTH_SECRET'),
      SECRET_KEYS: take('SECRET_KEYS'),
      STRIPE_WEBHOOK_SECRET: take('STRIPE_WEBHOOK_SECRET'),
    };
    if (Object.entries(secrets).some(([name, value]) => kept[name] !== value)) {
      writeFileSync(`${file}.draft`, `${JSON.stringify({ ...kept, ...secrets }, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.draft`, file);
    }
    return secrets;
  });
}
