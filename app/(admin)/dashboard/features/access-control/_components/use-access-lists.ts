'use client';

import { useCallback, useEffect, useState } from 'react';
import { readCachedRoles, withBuiltIn, writeCachedRoles } from '@/components/users/cached-roles';
import type { Permission } from '@/lib/access/permissions';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { RoleWithPermissionsView } from '@/lib/roles/views';

export type PermissionView = { name: Permission; description: string };

type Lists = {
  /** Null while loading. */
  roles: RoleWithPermissionsView[] | null;
  permissions: PermissionView[] | null;
  /** The roles come from this browser's cache, which holds only their names. */
  isFromCache: boolean;
  /** Messages for the lists that failed to load. */
  failures: string[];
};

/** Loads the roles and permissions. If the roles cannot be loaded, falls back to the names cached in this browser. */
export function useAccessLists() {
  const [lists, setLists] = useState<Lists>({ roles: null, permissions: null, isFromCache: false, failures: [] });
  const load = useCallback(async () => {
    const [roles, permissions] = await Promise.allSettled([
      apiFetch<RoleWithPermissionsView[]>('/api/acl/roles-with-permissions'),
      apiFetch<PermissionView[]>('/api/acl/permissions'),
    ]);
    if (roles.status === 'fulfilled') writeCachedRoles(roles.value.map(({ name }) => name));
    setLists((before) => ({
      roles: roles.status === 'fulfilled' ? roles.value : (before.roles ?? readFallbackRoles()),
      permissions: permissions.status === 'fulfilled' ? permissions.value : before.permissions,
      isFromCache: roles.status === 'rejected' && (before.roles === null || before.isFromCache),
      failures: [
        ...(roles.status === 'rejected' ? [loadFailure('roles', roles.reason)] : []),
        ...(permissions.status === 'rejected' ? [loadFailure('permissions', permissions.reason)] : []),
      ],
    }));
  }, []);
  useEffect(() => {
    void load();
  }, [load]);

  /** Updates the displayed state before the server responds. */
  const show = (roleName: string, permission: Permission, isGranted: boolean) =>
    setLists((before) => ({
      ...before,
      roles:
        before.roles?.map((role) => (role.name === roleName ? withPermission(role, permission, isGranted) : role)) ??
        null,
    }));
  return { ...lists, load, show };
}

/** Returns e.g. "Failed roles: HTTP 500", followed by the error. */
export function loadFailure(what: 'roles' | 'permissions' | 'users', cause: unknown): string {
  if (!(cause instanceof ApiError)) throw cause;
  return `Failed ${what}: HTTP ${cause.status}${cause.message ? ` ${cause.message}` : ''}`;
}

/** Only the names are cached. */
function readFallbackRoles(): RoleWithPermissionsView[] {
  return withBuiltIn(readCachedRoles()).map((name, index) => ({
    id: name,
    name,
    isBuiltIn: index < 3,
    people: 0,
    isCapped: false,
    permissions: [],
  }));
}

function withPermission(role: RoleWithPermissionsView, permission: Permission, isGranted: boolean) {
  const others = role.permissions.filter((name) => name !== permission);
  return { ...role, permissions: isGranted ? [...others, permission] : others };
}
