'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { httpFailure } from '@/components/form/http-failure';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import type { Permission, Rights } from '@/lib/access/permissions';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { AccessSkeleton } from './access-skeleton';
import { AssignRole } from './assign-role';
import { PermissionCard } from './permission-card';
import { RoleList } from './role-list';
import { useAccessLists } from './use-access-lists';

/** Roles, what they allow, and who gets one. @param own what the signed-in person may do, and so may give */
export function AccessControl({ own }: { own: Rights }) {
  const { roles, permissions, isKept, failures, load, show } = useAccessLists();
  const wanted = useSearchParams().get('role')?.toLowerCase();
  const [error, setError] = useState<string | null>(null);
  const selected = roles?.find(({ name }) => name.toLowerCase() === wanted) ?? roles?.[0];

  const tick = async (permission: Permission, isGranted: boolean) => {
    if (!selected) return;
    setError(null);
    show(selected.name, permission, isGranted);
    try {
      await apiFetch(`/api/acl/roles/${encodeURIComponent(selected.name)}/permissions`, {
        method: isGranted ? 'POST' : 'DELETE',
        body: { permName: permission },
      });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      show(selected.name, permission, !isGranted);
      setError(httpFailure('Update permission failed', cause));
    }
  };

  if (!roles) return <AccessSkeleton />;
  return (
    <div className="grid gap-4">
      {failures.length > 0 ? (
        <Alert
          tone="warning"
          action={
            <Button size="sm" onClick={() => void load()}>
              Try again
            </Button>
          }
        >
          {failures.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Alert>
      ) : null}
      {error ? <Alert tone="error">{error}</Alert> : null}
      <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-4">
          <RoleList roles={roles} selected={selected?.name} onCreated={load} />
          <AssignRole roles={roles} own={own} onAssigned={load} />
        </div>
        {selected ? (
          <PermissionCard
            key={selected.name}
            role={selected}
            own={own}
            permissions={isKept ? null : permissions}
            onTick={tick}
            onDeleted={load}
          />
        ) : null}
      </div>
    </div>
  );
}
