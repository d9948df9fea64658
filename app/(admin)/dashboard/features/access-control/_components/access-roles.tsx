'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';
import { toast } from 'sonner';
import { LineForm } from '@/components/form/card-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Icon } from '@/components/ui/icon';
import { readCachedRoles, withBuiltIn, writeCachedRoles } from '@/components/users/cached-roles';
import type { Permission } from '@/lib/access/permissions';
import { ApiError, apiFetch, deleteFailure, httpFailure } from '@/lib/browser/api-client';
import type { RoleWithPermissionsView } from '@/lib/roles/contract';

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

/** Reads the cached names of the roles. Nothing else is cached. */
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

/** Rethrows an error with its status and message after a text. @param text e.g. "Create failed" */
export const failAs = (text: string) => (cause: unknown) => {
  if (!(cause instanceof ApiError)) throw cause;
  throw new ApiError(cause.status, httpFailure(text, cause));
};

/** Creates a role without permissions and selects it. */
export function CreateRole({ onCreated }: { onCreated: () => Promise<void> }) {
  const router = useRouter();
  const form = useApiForm<{ name: string }>({
    validate: (data): Record<string, string> =>
      getFormText(data, 'name').trim() === '' ? { name: 'Enter a role name.' } : {},
    submit: (data) =>
      apiFetch<{ name: string }>('/api/acl/roles', { method: 'POST', body: { name: getFormText(data, 'name') } }).catch(
        failAs('Create failed'),
      ),
    clears: true,
    onSuccess: ({ name }) => {
      toast.success(`Role “${name}” created.`);
      router.push(`?role=${encodeURIComponent(name)}`, { scroll: false });
      void onCreated();
    },
    fallback: (status) => `Create failed (HTTP ${status})`,
  });
  return (
    <LineForm form={form}>
      <TextField
        name="name"
        label="New role"
        maxLength={60}
        autoComplete="off"
        placeholder="e.g. Editor"
        className="min-w-0 flex-1"
        error={form.fields.name}
      />
      <Button type="submit" pending={form.pending} className={form.fields.name ? 'mb-5.5' : undefined}>
        Create role
      </Button>
    </LineForm>
  );
}

type DeleteRoleProps = { name: string; people: number; onDeleted: () => Promise<void> };

export function DeleteRole({ name, people, onDeleted }: DeleteRoleProps) {
  const router = useRouter();
  const remove = async () => {
    await apiFetch(`/api/acl/roles/${encodeURIComponent(name)}`, { method: 'DELETE' }).catch(deleteFailure);
    toast.success(`Role “${name}” deleted.`);
    router.replace('?', { scroll: false });
    await onDeleted();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" icon={<Icon name="trash" />} className="text-red-ink">
          Delete role
        </Button>
      }
      title={`Delete the role “${name}”?`}
      description={
        people > 0 ? 'Users still have this role. Assign them another role first.' : 'This cannot be undone.'
      }
      confirmLabel="Delete role"
      onConfirm={remove}
    />
  );
}
