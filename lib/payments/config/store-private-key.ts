import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { readSmallFile } from '@/lib/platform/http/receive-file';
import { getProviderSettings, resolveMode } from './admin-config';
import { savePaymentConfig } from './config';
import { privateKeyField } from './fields';
import { parseMode } from './schemas';

/** A key of 8192 bits has 6.4 kB; a larger file, such as a certificate chain, is a mistake. */
export const maxPrivateKeyBytes = 20_000;

/** WeChat Pay requires RSA keys of at least 2048 bits. */
const minBits = 2048;

/**
 * Stores the merchant's private key for WeChat Pay, encrypted. It replaces an earlier key.
 * @param requestedMode the mode of the key; by default the active mode
 * @throws AppError invalid_input, unsupported_type or too_large with the problem of the file
 */
export async function storePrivateKey(
  actor: Actor,
  file: Readable,
  name: string,
  requestedMode?: string,
): Promise<void> {
  const parsedMode = parseMode('wechat', requestedMode);
  const bytes = await readSmallFile(file, maxPrivateKeyBytes, () =>
    invalidFile('too_large', 'The file is larger than 20 kB, so it is not a private key.'),
  );
  const pem = bytes.toString('utf8').trim();
  if (!/\.pem$/i.test(name)) throw invalidFile('unsupported_type', 'The private key must be a .pem file.');
  requireRsaKey(pem);
  const settings = await getProviderSettings('wechat');
  const mode = parsedMode ?? resolveMode(settings);
  await savePaymentConfig(actor, {
    provider: 'wechat',
    mode,
    secrets: { [privateKeyField]: pem },
    activate: settings.activeMode === null && parsedMode === undefined,
  });
}

function requireRsaKey(pem: string): void {
  const key = parseKey(pem);
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < minBits) {
    throw invalidFile('invalid_input', 'WeChat Pay requires an RSA key of at least 2048 bits.');
  }
}

function parseKey(pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) {
    throw invalidFile('invalid_input', 'The private key is protected by a passphrase. Upload it without one.');
  }
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    // The OpenSSL error is not shown: it does not help the admin, and the file's content must not reach a log.
    throw invalidFile('invalid_input', 'The file contains no private key in PEM format.');
  }
}

const invalidFile = (code: 'invalid_input' | 'unsupported_type' | 'too_large', message: string) =>
  new AppError(code, message, { fields: { private_key: message } });
