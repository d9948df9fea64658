/**
 * What the house takes an advisory lock of PostgreSQL for, each once: its place in this list is its number, so a new one
 * goes to the end.
 */
const names = ['migration', 'seed', 'sealing', 'rights', 'first-admin', 'backup', 'list', 'list-of-person'] as const;

/** Any number will do as long as nothing else in the database takes the same. */
const first = 724_533_001;

/** The number that `pg_advisory_lock` and its kin take, over all instances. */
export const advisoryLock = (name: (typeof names)[number]): number => first + names.indexOf(name);
