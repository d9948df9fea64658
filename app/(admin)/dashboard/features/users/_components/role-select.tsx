'use client';

import { useRouter } from 'next/navigation';
import { useOptimistic, useTransition } from 'react';
import { toast } from 'sonner';
import { Select } from '@/components/ui/select';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { useRoleChoices } from './role-choices';

type RoleSelectProps = { id: string; name: string; role: string };

/** A person's role, changed where it stands: at once, and back again when either of the two calls fails. */
export function RoleSelect({ id, name, role }: RoleSelectProps) {
  const router = useRouter();
  const choices = useRoleChoices();
  const [pending, startTransition] = useTransition();
  const [shown, show] = useOptimistic(role);
  const options = choices.includes(role) ? choices : [role, ...choices];

  const change = (next: string) =>
    startTransition(async () => {
      show(next);
      try {
        await giveRole(id, next, role);
        toast.success(`${name} is now ${next}.`);
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        toast.error('Failed to assign role.', { description: cause.message || undefined });
        // At once, not only when the list has been read anew.
        startTransition(() => show(role));
      }
      startTransition(() => router.refresh());
    });

  return (
    <Select
      size="sm"
      aria-label={`Role of ${name}`}
      aria-busy={pending}
      disabled={pending}
      className="w-36"
      value={shown}
      onChange={(event) => change(event.target.value)}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}

/**
 * Gives somebody a role by both addresses that keep one (spec 000, section 4). Where the second fails, the first is taken
 * back, so that what the screen shows again is what is true.
 * @throws ApiError of the call that failed
 */
async function giveRole(id: string, role: string, before: string): Promise<void> {
  const path = `/api/users/${id}`;
  await apiFetch(path, { method: 'PATCH', body: { role } });
  try {
    await apiFetch(`/api/acl/users/${id}/roles`, { method: 'POST', body: { roleName: role } });
  } catch (cause) {
    await Promise.allSettled([apiFetch(path, { method: 'PATCH', body: { role: before } })]);
    throw cause;
  }
}
