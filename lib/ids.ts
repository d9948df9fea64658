import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Random bytes in store: asking for one at a time is what an id would mostly cost. */
let pool = Buffer.alloc(0);
let used = 0;

function randomShare(): number {
  if (used === pool.length) {
    pool = randomBytes(1024);
    used = 0;
  }
  return pool.readUInt8(used++) / 256;
}

const next = monotonicFactory(randomShare);

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
