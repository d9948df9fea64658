/**
 * Creates an Idempotency-Key of 128 random bits. Uses getRandomValues because crypto.randomUUID requires HTTPS or
 * localhost, and a self-hosted site may use plain HTTP.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
