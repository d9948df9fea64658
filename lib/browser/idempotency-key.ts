/**
 * A new Idempotency-Key: 128 random bits. Made of getRandomValues, because crypto.randomUUID is there only over HTTPS
 * and on localhost, and a self-hosted site may well be served by plain HTTP.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
