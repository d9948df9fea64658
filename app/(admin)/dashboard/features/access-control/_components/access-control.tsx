'use client';

import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { getFormText, SelectField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Checkbox } from '@/components/ui/controls';
import { formatCount } from '@/components/ui/format';
import { Skeleton } from '@/components/ui/skeleton';
import { UserField } from '@/components/users/user-field';
import { covers, isAdminRole, type Permission, permissions, type Rights } from '@/lib/access/permissions';
import { ApiError, apiFetch, httpFailure, isSentForApproval } from '@/lib/browser/api-client';
import type { RoleWithPermissionsView } from '@/lib/roles/contract';
import { CreateRole, DeleteRole, failAs, loadFailure, type PermissionView, useAccessLists } from './access-roles';

/**
 * Lists roles, edits their permissions and assigns them to users.
 * @param own the user's own permissions, which limit the permissions that the user can grant
 */
export function AccessControl({ own }: { own: Rights }) {
  const { roles, permissions, isFromCache, failures, load, show } = useAccessLists();
  const requested = useSearchParams().get('role')?.toLowerCase();
  const [error, setError] = useState<string | null>(null);
  const selected = roles?.find(({ name }) => name.toLowerCase() === requested) ?? roles?.[0];

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
      if (isSentForApproval(cause)) toast.info('Sent for approval.', { description: cause.message });
      else setError(httpFailure('Update permission failed', cause));
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
            permissions={isFromCache ? null : permissions}
            onTick={tick}
            onDeleted={load}
          />
        ) : null}
      </div>
    </div>
  );
}

function AccessSkeleton() {
  return (
    <div role="status" aria-label="Loading roles" className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="card grid gap-4 p-5">
        {['name', 'admin', 'user', 'seller'].map((key) => (
          <Skeleton key={key} className="h-7" />
        ))}
      </div>
      <div className="card grid gap-5 p-5">
        {permissions.map((permission) => (
          <Skeleton key={permission} className="h-9" />
        ))}
      </div>
    </div>
  );
}

type RoleListProps = {
  roles: readonly RoleWithPermissionsView[];
  selected: string | undefined;
  onCreated: () => Promise<void>;
};

function RoleList({ roles, selected, onCreated }: RoleListProps) {
  return (
    <Card aria-labelledby="roles-heading">
      <CardHeader title={<span id="roles-heading">{`Roles (${roles.length})`}</span>} />
      <CreateRole onCreated={onCreated} />
      <ul aria-label="Roles" className="max-h-96 divide-y divide-line overflow-y-auto border-line border-t">
        {roles.map((role) => (
          <li key={role.name}>
            <Link
              prefetch={false}
              href={`?role=${encodeURIComponent(role.name)}`}
              scroll={false}
              aria-current={role.name === selected ? 'true' : undefined}
              className={cn(
                'flex items-center gap-2 px-4 py-2.5 text-sm transition-colors hover:bg-sunken sm:px-5',
                role.name === selected && 'bg-accent-soft font-medium text-accent-ink',
              )}
            >
              <span className="min-w-0 flex-1 truncate">{role.name}</span>
              {role.isBuiltIn ? <Badge>Built-in</Badge> : null}
              <span className="text-muted text-xs">{countUsers(role)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const countUsers = ({ people, isCapped }: RoleWithPermissionsView): string =>
  people === 1 ? '1 user' : `${formatCount({ total: people, isCapped })} users`;

type PermissionCardProps = {
  role: RoleWithPermissionsView;
  own: Rights;
  /** Null if loading failed. */
  permissions: readonly PermissionView[] | null;
  onTick: (permission: Permission, isGranted: boolean) => Promise<void>;
  onDeleted: () => Promise<void>;
};

/** Edits the permissions of a role. Each change is saved immediately. */
function PermissionCard({ role, own, permissions, onTick, onDeleted }: PermissionCardProps) {
  const reason = getReadOnlyReason(role, own);
  const [asked, setAsked] = useState<Permission>();
  const [isAsking, setAsking] = useState(false);
  return (
    <Card aria-labelledby="permissions-heading">
      <CardHeader
        title={
          <span id="permissions-heading" className="wrap-anywhere">
            {`${role.name} permissions`}
          </span>
        }
        description={
          reason ?? (role.isBuiltIn ? 'Every new account of this kind gets this role.' : 'Takes effect immediately.')
        }
        actions={
          role.isBuiltIn || !covers(own, { role: role.name, permissions: role.permissions }) ? null : (
            <DeleteRole name={role.name} people={role.people} onDeleted={onDeleted} />
          )
        }
      />
      {permissions ? (
        <ul aria-label={`Permissions of ${role.name}`} className="divide-y divide-line">
          {permissions.map(({ name, description }) => {
            const isHeld = role.permissions.includes(name);
            const mayTick = reason === null && covers(own, { role: '', permissions: [name] });
            return (
              <li key={name} className="px-4 py-2.5 sm:px-5">
                <Checkbox
                  checked={isHeld}
                  disabled={!mayTick}
                  onChange={({ target }) => {
                    if (!role.isBuiltIn || !target.checked) return void onTick(name, target.checked);
                    setAsked(name);
                    setAsking(true);
                  }}
                  className="w-full"
                  label={
                    <>
                      <span className="block font-medium text-ink text-sm">{name}</span>
                      <span className="block text-muted text-xs">{description}</span>
                    </>
                  }
                />
              </li>
            );
          })}
        </ul>
      ) : (
        <CardBody className="text-muted text-sm">Permissions couldn’t be loaded.</CardBody>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Give ${asked} to the role ${role.name}?`}
        description={`${countUsers(role)} ${role.people === 1 ? 'gets' : 'get'} this permission, and so does everyone who registers as ${role.name} from now on. To give it to a few users, create a role for them.`}
        confirmLabel="Give permission"
        onConfirm={async () => {
          if (asked) await onTick(asked, true);
        }}
      />
    </Card>
  );
}

/** Returns the reason why the role is read-only, or null if it is editable. */
function getReadOnlyReason({ name, permissions }: RoleWithPermissionsView, own: Rights): string | null {
  if (isAdminRole(name)) return 'Admin always has every permission.';
  if (!covers(own, { role: name, permissions })) return 'This role has permissions that you don’t have.';
  return null;
}

type AssignRoleProps = { roles: readonly RoleWithPermissionsView[]; own: Rights; onAssigned: () => Promise<void> };

/** Replaces a user's role. */
function AssignRole({ roles, own, onAssigned }: AssignRoleProps) {
  const [isDone, setDone] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const assignable = roles.filter(({ name, permissions }) => covers(own, { role: name, permissions }));
  const form = useApiForm({
    validate: (data): Record<string, string> => {
      setDone(false);
      if (getFormText(data, 'userId') === '') return { userText: 'Choose a user first.' };
      return getFormText(data, 'roleName') === '' ? { roleName: 'Choose a role.' } : {};
    },
    submit: (data) =>
      apiFetch(`/api/acl/users/${encodeURIComponent(getFormText(data, 'userId'))}/roles`, {
        method: 'POST',
        body: { roleName: getFormText(data, 'roleName') },
      }).catch(failAs('Assign failed')),
    onSuccess: () => {
      setDone(true);
      void onAssigned();
    },
    fallback: (status) => `Assign failed (HTTP ${status})`,
  });
  return (
    <Card aria-labelledby="assign-heading">
      <CardHeader
        title={<span id="assign-heading">Assign a role</span>}
        description="Replaces their role and signs them out."
      />
      <CardForm form={form} data-unmarked="" submitLabel="Assign role" variant="primary">
        {failure ? <Alert tone="warning">{failure}</Alert> : null}
        {isDone ? <Alert tone="success">Role assigned to user.</Alert> : null}
        <UserField
          label="User"
          error={form.fields.userText}
          onFailure={(cause) => setFailure(loadFailure('users', cause))}
        />
        <SelectField
          name="roleName"
          label="Role"
          required
          // No default: the first option is Admin.
          placeholder="Choose a role"
          options={assignable.map(({ name }) => name)}
          error={form.fields.roleName}
        />
      </CardForm>
    </Card>
  );
}
