import { createCipheriv, randomBytes } from 'node:crypto';
import { letters, randomText } from '../provider/random-text';

/** What WeChat hides from everybody but the merchant: AES-256-GCM, the tag behind the text. */
export type Encrypted = { algorithm: 'AEAD_AES_256_GCM'; ciphertext: string; associated_data: string; nonce: string };

/** @param apiV3Key 32 characters @param associatedData stands beside it in the clear and is sealed with it */
export function encrypt(apiV3Key: string, text: string, associatedData: string): Encrypted {
  const nonce = randomText(12, letters);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key, 'utf8'), Buffer.from(nonce, 'utf8'));
  cipher.setAAD(Buffer.from(associatedData, 'utf8'));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return {
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: sealed.toString('base64'),
    associated_data: associatedData,
    nonce,
  };
}

/** A key for a merchant that there is not, so that nothing is ever sent in the clear. */
export function unknownKey(): string {
  return randomBytes(16).toString('hex');
}
