import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type AccountRole, accountRoles } from '@/db/enums';

/** The letter of a role in the snapshot: O, M, B, F, C. */
export const letterOf = (role: string): string => role.charAt(0).toUpperCase();

const text = readFileSync(join(import.meta.dirname, 'account-roles.snapshot.txt'), 'utf8');
const line = z.tuple([z.string().length(accountRoles.length), z.string(), z.string()]);

/**
 * The routes, pages and actions of buyers with the roles of an account that they admit, as the reviewed snapshot lists them.
 * `kind` is the method of a route, `page` or `action`.
 */
export const operations = text
  .split('\n')
  .filter((row) => row !== '' && !row.startsWith('#'))
  .map((row) => {
    const [letters, kind, name] = line.parse(row.split(/ +/));
    return { kind, name, admitted: accountRoles.filter((role: AccountRole) => letters.includes(letterOf(role))) };
  });
