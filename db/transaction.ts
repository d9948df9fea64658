import type { Database } from './client';

/** What `db().transaction()` hands to its work. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
