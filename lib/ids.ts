import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** A pool of random bytes: one call to `randomBytes` per id would dominate the cost of an id. */
let pool = Buffer.alloc(0);
let used = 0;

function randomFraction(): number {
  if (used === pool.length) {
    pool = randomBytes(1024);
    used = 0;
  }
  return pool.readUInt8(used++) / 256;
}

const nextUlid = monotonicFactory(randomFraction);

/**
 * Creates an identifier: 26 characters of 0-9 and a-z, sortable by creation time. It fits the reference field of every
 * payment provider (WeChat's out_trade_no takes 6 to 32 characters of A-Z a-z 0-9).
 */
export function newId(): string {
  return nextUlid().toLowerCase();
}

/** Creates a secret for links and sessions: 256 random bits, URL-safe. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
