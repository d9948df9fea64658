/** What the system says when a file cannot grow: no space, over quota, over a limit; PostgreSQL's own is 53100. */
const codes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);

/** Whether something failed because a disk is full, ours or the database's. */
export function isStorageFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('code' in thrown && typeof thrown.code === 'string' && codes.has(thrown.code)) return true;
  return isStorageFull(thrown.cause);
}
