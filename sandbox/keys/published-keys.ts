import { createPublicKey } from 'node:crypto';
import { certificateUrl } from '../paypal/certificate-url';
import { publicKeyId } from '../wechat/public-key-id';
import type { Keys } from './records';

/** What a merchant copies from the providers' own pages into the app's configuration. */
export type PublishedKeys = {
  /** Where PayPal's webhook certificate lies. */
  paypalCertUrl: string;
  /** Serial number of WeChat's platform certificate, in capital hex. */
  wechatPlatformSerial: string;
  /** PUB_KEY_ID_… of the newer form; the same key as in the certificate. */
  wechatPublicKeyId: string;
  /** SPKI PEM. */
  wechatPublicKeyPem: string;
};

/** @param paypalOrigin of the PayPal port, which serves the certificate */
export function publishedKeys(keys: Keys, paypalOrigin: string): PublishedKeys {
  return {
    paypalCertUrl: certificateUrl(paypalOrigin, keys.paypal),
    wechatPlatformSerial: keys.wechat.serial,
    wechatPublicKeyId: publicKeyId(keys.wechat),
    wechatPublicKeyPem: createPublicKey(keys.wechat.privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  };
}
