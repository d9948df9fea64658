import { readStored, writeStored } from '@/components/shell/browser-storage';

/** The cached list of roles, used when the server's list is unavailable. */
const key = 'acl_roles_v1';

export const builtInRoles = ['Admin', 'User', 'Seller'] as const;

/** Reads the cached names; none when the cache is empty or invalid. */
export function readCachedRoles(): string[] {
  try {
    const stored: unknown = JSON.parse(readStored(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
  } catch {
    // Invalid JSON: treated as an empty cache.
    return [];
  }
}

export function writeCachedRoles(names: readonly string[]): void {
  writeStored(key, JSON.stringify(names));
}

/** Returns the built-in roles followed by these, without duplicates that differ only in case. */
export function withBuiltIn(names: readonly string[]): string[] {
  const known = new Set<string>(builtInRoles.map((name) => name.toLowerCase()));
  return [...builtInRoles, ...names.filter((name) => !known.has(name.toLowerCase()))];
}
