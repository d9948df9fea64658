import { readStored, writeStored } from '../shell/browser-storage';

/** Spec 000, section 9: the list of roles that stands in when the server's cannot be had. */
const key = 'acl_roles_v1';

export const builtInRoles = ['Admin', 'User', 'Seller'] as const;

/** The names that were kept; none where nothing was, or something else stands there. */
export function readCachedRoles(): string[] {
  try {
    const kept: unknown = JSON.parse(readStored(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [];
  } catch {
    // Not ours, or cut off: as if there were none.
    return [];
  }
}

export function writeCachedRoles(names: readonly string[]): void {
  writeStored(key, JSON.stringify(names));
}

/** The built-in roles and these, each once without regard to case, in this order. */
export function withBuiltIn(names: readonly string[]): string[] {
  const known = new Set<string>(builtInRoles.map((name) => name.toLowerCase()));
  return [...builtInRoles, ...names.filter((name) => !known.has(name.toLowerCase()))];
}
