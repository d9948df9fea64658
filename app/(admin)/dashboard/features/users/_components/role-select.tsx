'use client';

import { useRouter } from 'next/navigation';
import { useOptimistic, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Select } from '@/components/ui/controls';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { useRoleChoices } from './role-choices';

type RoleSelectProps = { id: string; name: string; role: string };

/** The built-in roles that never open the admin area. Every other role may. */
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
        toast.error('Failed to assign role.', { description: cause.message || undefined });
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
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </Select>
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
  const access = isStaffRole(next)
    ? `They get the permissions of ${next} in place of those of ${before}.`
    : 'They lose access to the admin area.';
  return `${access} Their sessions end, and they sign in again.`;
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
