'use client';

import { useState } from 'react';
import { httpFailure } from '@/components/form/http-failure';
import { SelectField } from '@/components/form/select-field';
import { textOf } from '@/components/form/text-of';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { UserField } from '@/components/users/user-field';
import { covers, type Rights } from '@/lib/access/permissions';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { RoleWithPermissionsView } from '@/lib/roles/views';
import { loadFailure } from './use-access-lists';

type AssignRoleProps = {
  roles: readonly RoleWithPermissionsView[];
  own: Rights;
  onAssigned: () => Promise<void>;
};

/** Gives a person a role in place of the one they have. */
export function AssignRole({ roles, own, onAssigned }: AssignRoleProps) {
  const [isDone, setDone] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const givable = roles.filter(({ name, permissions }) => covers(own, { role: name, permissions }));
  const form = useApiForm({
    validate: (data): Record<string, string> => {
      setDone(false);
      if (textOf(data, 'userId') === '') return { userText: 'Choose a user first.' };
      return textOf(data, 'roleName') === '' ? { roleName: 'Choose a role.' } : {};
    },
    submit: (data) =>
      apiFetch(`/api/acl/users/${encodeURIComponent(textOf(data, 'userId'))}/roles`, {
        method: 'POST',
        body: { roleName: textOf(data, 'roleName') },
      }).catch((cause: unknown) => {
        if (!(cause instanceof ApiError)) throw cause;
        throw new ApiError(cause.status, httpFailure('Assign failed', cause));
      }),
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
        description="It takes the place of the role the person has, and signs them out."
      />
      <form {...form.formProps} data-unmarked="">
        <CardBody className="grid gap-4">
          {failure ? <Alert tone="warning">{failure}</Alert> : null}
          {form.error ? <Alert tone="error">{form.error}</Alert> : null}
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
            // None is chosen beforehand: the first one is Admin.
            placeholder="Choose a role"
            options={givable.map(({ name }) => ({ value: name, label: name }))}
            error={form.fields.roleName}
          />
        </CardBody>
        <CardFooter>
          <Button type="submit" variant="primary" pending={form.pending}>
            Assign role
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
