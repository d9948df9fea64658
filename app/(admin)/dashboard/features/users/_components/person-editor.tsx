'use client';

import { EntityDialog, restEntity } from '@/components/form/entity-dialog';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { PasswordField } from '@/components/form/password-field';
import type { UserStatus } from '@/db/schema/users';
import { minPasswordLength } from '@/lib/auth/portals';
import type { PersonView } from '@/lib/users/views';
import { useRoleChoices } from './role-choices';

const labels = { name: 'Name', email: 'Email', role: 'Role', status: 'Status' };

type PersonEditorProps = {
  /** Null for a new user. */
  person: PersonView | null;
  statuses: readonly UserStatus[];
  closeHref: string;
};

/** Creates or edits a user. Only a new account has a password field. */
export function PersonEditor({ person, statuses, closeHref }: PersonEditorProps) {
  const choices = useRoleChoices();
  const roles = person && !choices.includes(person.role) ? [person.role, ...choices] : choices;
  return (
    <EntityDialog
      record={person}
      name={person?.name || person?.email}
      noun="user"
      at={{ closeHref }}
      store={restEntity('/api/users', person)}
      labels={labels}
      validate={(data) => validate(data, person === null)}
      deletion={{ consequence: deletionConsequence }}
    >
      {(row, errors) => (
        <>
          <TextField
            name="name"
            label={labels.name}
            required
            maxLength={120}
            autoComplete="off"
            defaultValue={row?.name}
            error={errors.name}
          />
          <TextField
            name="email"
            label={labels.email}
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            defaultValue={row?.email}
            error={errors.email}
            hint={row ? 'Changing the email, status or role signs the user out everywhere.' : undefined}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              name="role"
              label={labels.role}
              options={roles.map((value) => ({ value, label: value }))}
              defaultValue={row?.role ?? 'User'}
              error={errors.role}
            />
            <SelectField
              name="status"
              label={labels.status}
              options={statuses.map((value) => ({ value, label: value }))}
              defaultValue={row?.status ?? 'Active'}
              hint={row ? undefined : 'Pending: a link to confirm the email is sent.'}
              error={errors.status}
            />
          </div>
          {row ? null : (
            <PasswordField
              name="password"
              label="Password"
              required
              minLength={minPasswordLength}
              autoComplete="new-password"
              hint={errors.password ? undefined : 'At least 8 characters.'}
              error={errors.password}
            />
          )}
        </>
      )}
    </EntityDialog>
  );
}

const deletionConsequence =
  'They’re signed out and can’t sign in again, and their sites leave the marketplace. Orders and payments are kept, and the email can’t be reused.';

function validate(data: FormData, isNew: boolean): Record<string, string> {
  const found: Record<string, string> = {};
  if (getFormText(data, 'name').trim() === '') found.name = 'Enter a name.';
  if (getFormText(data, 'email').trim() === '') found.email = 'Enter an email.';
  if (isNew && getFormText(data, 'password').length < minPasswordLength) {
    found.password = 'Password must be at least 8 characters.';
  }
  return found;
}
