import { createCipheriv, randomBytes } from 'node:crypto';
import { letters, randomText } from '@/sandbox/provider/random-text';

/** Data that WeChat encrypts for the merchant: AES-256-GCM with the tag appended. */
export type Encrypted = { algorithm: 'AEAD_AES_256_GCM'; ciphertext: string; associated_data: string; nonce: string };

/**
 * Encrypts a text.
 * @param apiV3Key 32 characters
 * @param associatedData authenticated but not encrypted
 */
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

/** Generates a random key for an unconfigured merchant, so that no plain text is sent. */
export function unknownKey(): string {
  return randomBytes(16).toString('hex');
}
