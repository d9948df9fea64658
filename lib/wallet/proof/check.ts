import type { SQL } from 'drizzle-orm';

/** Something that must hold in the books. */
export type Check = {
  /** Says what holds, for the admin who reads the report. */
  name: string;
  /** Selects one text column: what names each row that breaks it. Nothing while it holds. */
  broken: SQL;
};
