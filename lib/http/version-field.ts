import { z } from 'zod';

/** The version an edit started from, which a stale one is refused by; as the integer that PostgreSQL keeps. */
export const versionField = z.int().min(0).max(2_147_483_647);
