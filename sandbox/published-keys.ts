import { createPublicKey } from 'node:crypto';
import type { Keys } from './keys/records';
import { certificateUrl } from './paypal/certificate-url';
import { publicKeyId } from './wechat/public-key-id';

/** The values that a merchant copies from the providers into the app's configuration. */
export type PublishedKeys = {
  /** URL of PayPal's webhook certificate. */
  paypalCertUrl: string;
  /** Serial number of WeChat's platform certificate, in capital hex. */
  wechatPlatformSerial: string;
  /** PUB_KEY_ID_…, the id of the public key; it is the certificate's key. */
  wechatPublicKeyId: string;
  /** SPKI PEM. */
  wechatPublicKeyPem: string;
};

/** Returns the published keys. @param paypalOrigin origin of the PayPal port, which serves the certificate */
export function publishedKeys(keys: Keys, paypalOrigin: string): PublishedKeys {
  return {
    paypalCertUrl: certificateUrl(paypalOrigin, keys.paypal),
    wechatPlatformSerial: keys.wechat.serial,
    wechatPublicKeyId: publicKeyId(keys.wechat),
    wechatPublicKeyPem: createPublicKey(keys.wechat.privateKey).export({ type: 'spki', format: 'pem' }).toString(),
  };
}
