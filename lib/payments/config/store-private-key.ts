import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Actor } from '../../access/actor';
import { AppError } from '../../errors';
import { getProviderSettings, modeMeant } from './admin-config';
import { savePaymentConfig } from './config';
import { privateKeyField } from './fields';
import { readMode } from './schemas';

/** A key of 8192 bits is 6.4 kB; a chain of certificates in the same file is a mistake. */
export const maxPrivateKeyBytes = 20_000;

/** What WeChat signs with: RSA of at least 2048 bits. */
const leastBits = 2048;

/**
 * Stores the merchant's private key of WeChat Pay, encrypted. It takes the place of an earlier one.
 * @param askedMode whose key it is; without it that of the mode in force
 * @throws AppError invalid_input, unsupported_type or too_large with what is wrong about the file
 */
export async function storePrivateKey(actor: Actor, file: Readable, name: string, askedMode?: string): Promise<void> {
  const asked = readMode('wechat', askedMode);
  const pem = await readText(file);
  if (!/\.pem$/i.test(name)) throw refused('unsupported_type', 'The private key must be a .pem file.');
  checkKey(pem);
  const settings = await getProviderSettings('wechat');
  const mode = asked ?? modeMeant(settings);
  await savePaymentConfig(actor, {
    provider: 'wechat',
    mode,
    secrets: { [privateKeyField]: pem },
    isInForce: settings.modeInForce === null && asked === undefined,
  });
}

async function readText(file: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxPrivateKeyBytes) throw refused('too_large', 'The file is larger than 20 kB: this is no private key.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}

function checkKey(pem: string): void {
  const key = parse(pem);
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < leastBits) {
    throw refused('invalid_input', 'WeChat Pay needs an RSA key of at least 2048 bits.');
  }
}

function parse(pem: string): KeyObject {
  if (/ENCRYPTED/.test(pem)) {
    throw refused('invalid_input', 'The private key is protected by a passphrase. Upload it without one.');
  }
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    // Not shown: OpenSSL's words help nobody, and nothing of the file may reach a log.
    throw refused('invalid_input', 'The file holds no private key in PEM form.');
  }
}

const refused = (code: 'invalid_input' | 'unsupported_type' | 'too_large', message: string) =>
  new AppError(code, message, { fields: { private_key: message } });
