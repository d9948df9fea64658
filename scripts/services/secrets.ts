import { generateKeyPair, randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { withLock } from '@/scripts/process/lock';

/** Generators of the demo's secrets. */
const generators = {
  NEXTAUTH_SECRET: () => randomBytes(32).toString('base64url'),
  SECRET_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${randomBytes(24).toString('hex')}`,
  PAYPAL_CLIENT_ID: () => `A${randomBytes(30).toString('hex').toUpperCase()}`,
  PAYPAL_CLIENT_SECRET: () => `E${randomBytes(30).toString('hex').toUpperCase()}`,
  PAYPAL_WEBHOOK_ID: () => randomBytes(9).toString('hex').slice(0, 17).toUpperCase(),
  WECHAT_MCHID: () => `1${randomInt(100_000_000, 1_000_000_000)}`,
  WECHAT_APPID: () => `wx${randomBytes(8).toString('hex')}`,
  WECHAT_API_V3_KEY: () => randomBytes(16).toString('hex'),
  WECHAT_SERIAL_NO: () => `4${randomBytes(20).toString('hex').slice(1).toUpperCase()}`,
};

export type Secrets = Record<keyof typeof generators | 'WECHAT_PRIVATE_KEY', string>;

/**
 * Returns the demo's secrets, generated once and stored in `<dataDir>/secrets.json`, readable by the owner only. A
 * later version adds missing secrets and keeps the others: data encrypted with another key could not be read.
 */
export function loadDemoSecrets(dataDir: string): Promise<Secrets> {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const file = join(dataDir, 'secrets.json');
  return withLock(`${file}.lock`, async () => {
    const stored = existsSync(file)
      ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))
      : {};
    const take = (name: keyof typeof generators) => stored[name] ?? generators[name]();
    const secrets: Secrets = {
      NEXTAUTH_SECRET: take('NEXTAUTH_SECRET'),
      SECRET_KEYS: take('SECRET_KEYS'),
      STRIPE_WEBHOOK_SECRET: take('STRIPE_WEBHOOK_SECRET'),
      PAYPAL_CLIENT_ID: take('PAYPAL_CLIENT_ID'),
      PAYPAL_CLIENT_SECRET: take('PAYPAL_CLIENT_SECRET'),
      PAYPAL_WEBHOOK_ID: take('PAYPAL_WEBHOOK_ID'),
      WECHAT_MCHID: take('WECHAT_MCHID'),
      WECHAT_APPID: take('WECHAT_APPID'),
      WECHAT_API_V3_KEY: take('WECHAT_API_V3_KEY'),
      WECHAT_SERIAL_NO: take('WECHAT_SERIAL_NO'),
      WECHAT_PRIVATE_KEY: stored.WECHAT_PRIVATE_KEY ?? (await generateMerchantKey()),
    };
    if (Object.entries(secrets).some(([name, value]) => stored[name] !== value)) {
      writeFileSync(`${file}.draft`, `${JSON.stringify({ ...stored, ...secrets }, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.draft`, file);
    }
    return secrets;
  });
}

/** Generates the merchant's key for requests to WeChat, as PKCS#8 PEM, asynchronously. */
async function generateMerchantKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
