import type { Database } from './client';

/** The argument of the callback of `db().transaction()`. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
