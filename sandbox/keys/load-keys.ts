import { createPrivateKey, generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { StateStore } from '@/sandbox/state';
import type { Keys, SigningKey } from './records';
import { selfSignedCertificate } from './self-signed';

const generate = promisify(generateKeyPair);
const serialBytes = 20;

/** Generated once per process: several gateways in a test share the keys. */
let keysOnce: Promise<Keys> | undefined;

/** Returns the signing keys of PayPal and WeChat, generated when the state has none. */
export async function loadKeys(store: StateStore): Promise<Keys> {
  if (store.state.keys) return store.state.keys;
  keysOnce ??= Promise.all([generateKey('messages.sandbox.example.com'), generateKey('WeChat Pay platform')]).then(
    ([paypal, wechat]) => ({ paypal, wechat }),
  );
  const keys = await keysOnce;
  store.state.keys = keys;
  await store.save();
  return keys;
}

async function generateKey(name: string): Promise<SigningKey> {
  const { privateKey } = await generate('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const serial = randomBytes(serialBytes);
  // A first byte from 1 to 127 keeps the serial positive and at the 40 hex digits of WeChat.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01;
  const certificate = selfSignedCertificate(createPrivateKey(privateKey), serial, name);
  return { privateKey, certificate, serial: serial.toString('hex').toUpperCase() };
}
