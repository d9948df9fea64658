'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { readCachedRoles, withBuiltIn, writeCachedRoles } from '@/components/users/cached-roles';

const RoleChoices = createContext<readonly string[]>([]);

type ProviderProps = {
  /** The names of all roles; null if loading failed. */
  roles: readonly string[] | null;
  /** The roles that the current user can assign; null for no restriction. */
  assignable: readonly string[] | null;
  children: ReactNode;
};

const never = () => () => undefined;
const nothing = '[]';

/** Provides the role options of all rows. If loading failed, uses the names cached in this browser. */
export function RoleChoicesProvider({ roles, assignable, children }: ProviderProps) {
  useEffect(() => {
    if (roles) writeCachedRoles(roles);
  }, [roles]);
  // Serialized, because useSyncExternalStore compares snapshots by identity.
  const cached = useSyncExternalStore(
    never,
    () => JSON.stringify(readCachedRoles()),
    () => nothing,
  );
  const choices = useMemo(() => {
    const names = withBuiltIn(roles ?? JSON.parse(cached));
    return assignable ? names.filter((name) => assignable.includes(name)) : names;
  }, [roles, cached, assignable]);
  return <RoleChoices value={choices}>{children}</RoleChoices>;
}

export const useRoleChoices = () => useContext(RoleChoices);
