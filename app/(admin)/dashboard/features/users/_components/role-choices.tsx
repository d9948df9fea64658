'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { readCachedRoles, withBuiltIn, writeCachedRoles } from '@/components/users/cached-roles';

const RoleChoices = createContext<readonly string[]>([]);

type ProviderProps = {
  /** Every role's name; null where the list could not be read. */
  roles: readonly string[] | null;
  /** Of these, what the signed-in person may give; null: whatever there is. */
  givable: readonly string[] | null;
  children: ReactNode;
};

const never = () => () => undefined;
const nothing = '[]';

/** The roles that every row's selector offers, once for all of them; from the browser's own list where the server's failed. */
export function RoleChoicesProvider({ roles, givable, children }: ProviderProps) {
  useEffect(() => {
    if (roles) writeCachedRoles(roles);
  }, [roles]);
  // As one text, so that it is the same from one look to the next.
  const cached = useSyncExternalStore(
    never,
    () => JSON.stringify(readCachedRoles()),
    () => nothing,
  );
  const choices = useMemo(() => {
    const names = withBuiltIn(roles ?? JSON.parse(cached));
    return givable ? names.filter((name) => givable.includes(name)) : names;
  }, [roles, cached, givable]);
  return <RoleChoices value={choices}>{children}</RoleChoices>;
}

export const useRoleChoices = () => useContext(RoleChoices);
