/** The uses of PostgreSQL's advisory locks. The position in this list is the lock's number: append new names at the end. */
const names = [
  'migration',
  'seed',
  'sealing',
  'rights',
  'first-admin',
  'backup',
  'list',
  'list-of-person',
  'roll-up',
  'chain-proof',
  'events',
  'webhook-endpoints',
  'figures-import',
  'records',
  'mails',
  'bank-lines',
] as const;

/** Arbitrary; no other application in the database may use the numbers from here on. */
const first = 724_533_001;

/** Returns the key for `pg_advisory_lock` and its variants; locks are shared by all instances. */
export const advisoryLock = (name: (typeof names)[number]): number => first + names.indexOf(name);
