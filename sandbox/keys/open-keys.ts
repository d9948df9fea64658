import { createPrivateKey, generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { StateStore } from '../state';
import type { Keys, SigningKey } from './records';
import { selfSignedCertificate } from './self-signed';

const generate = promisify(generateKeyPair);
const serialBytes = 20;

/** One pair of keys a process is enough: several gateways of a test need not each search for primes. */
let made: Promise<Keys> | undefined;

/** The keys that PayPal and WeChat sign with, made when the state has none yet. */
export async function openKeys(store: StateStore): Promise<Keys> {
  if (store.state.keys) return store.state.keys;
  made ??= Promise.all([makeKey('messages.sandbox.example.com'), makeKey('WeChat Pay platform')]).then(
    ([paypal, wechat]) => ({ paypal, wechat }),
  );
  const keys = await made;
  store.state.keys = keys;
  await store.save();
  return keys;
}

async function makeKey(name: string): Promise<SigningKey> {
  const { privateKey } = await generate('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const serial = randomBytes(serialBytes);
  // A first byte from 1 to 127: neither negative nor shorter than the 40 digits that WeChat writes.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01;
  const certificate = selfSignedCertificate(createPrivateKey(privateKey), serial, name);
  return { privateKey, certificate, serial: serial.toString('hex').toUpperCase() };
}
