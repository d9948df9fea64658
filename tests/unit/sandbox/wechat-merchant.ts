import { generateKeyPairSync } from 'node:crypto';

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** The signing keys of the tests' merchant. */
export const merchantPrivateKey = pair.privateKey;

/** The merchant as configured at the gateway. */
export const wechatMerchant = {
  mchid: '1900012345',
  appid: 'wx0123456789abcdef',
  apiV3Key: '0123456789abcdefghijABCDEFGHIJ01',
  merchantPublicKey: pair.publicKey,
  merchantSerial: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
};
