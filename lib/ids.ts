import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';

const next = monotonicFactory(() => randomBytes(1).readUInt8(0) / 256);

/**
 * A new identifier: 26 characters of 0-9 and a-z, sortable by time of making.
 * Short and plain enough for every provider's reference field (WeChat's out_trade_no takes 6 to 32 of A-Z a-z 0-9).
 */
export function newId(): string {
  return next().toLowerCase();
}

/** A secret for links and sessions: 256 random bits, URL-safe. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
