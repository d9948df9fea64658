'use client';

import { useRouter } from 'next/navigation';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useOptimistic,
  useState,
  useSyncExternalStore,
  useTransition,
} from 'react';
import { toast } from 'sonner';
import { EntityDialog, restEntity } from '@/components/form/entity-dialog';
import { getFormText } from '@/components/form/fields';
import { PasswordField } from '@/components/form/password-field';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Select } from '@/components/ui/controls';
import { readCachedRoles, withBuiltIn, writeCachedRoles } from '@/components/users/cached-roles';
import type { UserStatus } from '@/db/schema/users';
import { minPasswordLength } from '@/lib/auth/portals';
import { ApiError, apiFetch, isSentForApproval } from '@/lib/browser/api-client';
import type { PersonView } from '@/lib/users/contract';

type PersonEditorProps = {
  /** Null for a new user. */
  person: PersonView | null;
  statuses: readonly UserStatus[];
  closeHref: string;
};

/** Creates, invites or edits a user. Only a new account has a password field: left empty, the person is invited. */
export function PersonEditor({ person, statuses, closeHref }: PersonEditorProps) {
  const choices = useRoleChoices();
  const roles = person && !choices.includes(person.role) ? [person.role, ...choices] : choices;
  return (
    <EntityDialog
      record={person}
      name={person?.name || person?.email}
      noun="user"
      at={{ closeHref }}
      store={restEntity('/api/users', person, omitEmptyPassword)}
      validate={(data) => validate(data, person === null)}
      deletion={{ consequence: deletionConsequence }}
      fields={(row) => [
        { name: 'name', label: 'Name', required: true, maxLength: 120 },
        {
          name: 'email',
          label: 'Email',
          type: 'email',
          required: true,
          maxLength: 254,
          hint: row ? 'Changing the email, status or role signs the user out everywhere.' : undefined,
        },
        {
          columns: 'sm:grid-cols-2',
          fields: [
            { name: 'role', label: 'Role', options: roles, defaultValue: 'User' },
            {
              name: 'status',
              label: 'Status',
              options: statuses,
              defaultValue: 'Active',
              hint: row ? undefined : 'Pending: a link to confirm the email is sent.',
            },
          ],
        },
      ]}
    >
      {(row, errors) =>
        row ? null : (
          <PasswordField
            name="password"
            label="Password"
            autoComplete="new-password"
            hint={errors.password ? undefined : 'Leave empty to invite the person by email to set one, within 7 days.'}
            error={errors.password}
          />
        )
      }
    </EntityDialog>
  );
}

/** Without a password the API invites the person. */
const omitEmptyPassword = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => name !== 'password' || value !== ''));

const deletionConsequence =
  'They’re signed out and can’t sign in again, and their sites leave the marketplace. Orders and payments are kept, and the email can’t be reused.';

function validate(data: FormData, isNew: boolean): Record<string, string> {
  const found: Record<string, string> = {};
  if (getFormText(data, 'name').trim() === '') found.name = 'Enter a name.';
  if (getFormText(data, 'email').trim() === '') found.email = 'Enter an email.';
  const password = getFormText(data, 'password');
  if (isNew && password !== '' && password.length < minPasswordLength) {
    found.password = 'Password must be at least 8 characters.';
  }
  return found;
}

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

const useRoleChoices = () => useContext(RoleChoices);

type RoleSelectProps = { id: string; name: string; role: string };

/** Checks whether a role is for staff, as every role but two built-in ones is. */
const isStaffRole = (role: string) => role !== 'User' && role !== 'Seller';

/** The time in which a change without a question can be undone, in milliseconds. */
const undoMs = 10_000;

/**
 * Changes a user's role inline with an optimistic update. Reverts it if either request fails. A change from or to a role
 * of staff asks first; another one can be undone.
 */
export function RoleSelect({ id, name, role }: RoleSelectProps) {
  const router = useRouter();
  const choices = useRoleChoices();
  const [pending, startTransition] = useTransition();
  const [shown, show] = useOptimistic(role);
  const [asked, ask] = useState<string | null>(null);
  const options = choices.includes(role) ? choices : [role, ...choices];

  const change = (next: string, before = role) =>
    startTransition(async () => {
      show(next);
      try {
        await setRole(id, next, before);
        const isUndoable = before === role && !isStaffRole(before) && !isStaffRole(next);
        toast.success(`${name} is now ${next}.`, {
          description: 'Their sessions ended.',
          ...(isUndoable && { duration: undoMs, action: { label: 'Undo', onClick: () => change(before, next) } }),
        });
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        const text = { description: cause.message || undefined };
        if (isSentForApproval(cause)) toast.info('Sent for approval.', text);
        else toast.error('Failed to assign role.', text);
        // Reverts immediately, without waiting for the refreshed list.
        startTransition(() => show(before));
      }
      startTransition(() => router.refresh());
    });

  return (
    <>
      <Select
        size="sm"
        aria-label={`Role of ${name}`}
        aria-busy={pending}
        disabled={pending}
        className="w-36"
        value={shown}
        onChange={(event) => {
          const next = event.target.value;
          if (isStaffRole(role) || isStaffRole(next)) ask(next);
          else change(next);
        }}
        options={options}
      />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) ask(null);
        }}
        title={`Change the role of ${name} to ${asked}?`}
        description={describeChange(role, asked ?? '')}
        confirmLabel="Change role"
        onConfirm={async () => {
          if (asked !== null) change(asked);
        }}
      />
    </>
  );
}

function describeChange(before: string, next: string): string {
  return `They get the permissions of ${next} in place of those of ${before}. Their sessions end, and they sign in again.`;
}

/**
 * Updates the role through both endpoints of the API that store it. If the second request fails, reverts the first, so
 * that both store the same role.
 * @throws ApiError of the failed request
 */
async function setRole(id: string, role: string, before: string): Promise<void> {
  const path = `/api/users/${id}`;
  await apiFetch(path, { method: 'PATCH', body: { role } });
  try {
    await apiFetch(`/api/acl/users/${id}/roles`, { method: 'POST', body: { roleName: role } });
  } catch (cause) {
    await Promise.allSettled([apiFetch(path, { method: 'PATCH', body: { role: before } })]);
    throw cause;
  }
}
