'use client';

import { PasswordField } from '@/components/form/password-field';
import { SelectField } from '@/components/form/select-field';
import { TextField } from '@/components/form/text-field';
import { textOf } from '@/components/form/text-of';
import { fieldText } from '@/components/table/field-text';
import { RecordEditor } from '@/components/table/record-editor';
import type { UserStatus } from '@/db/schema/users';
import { minPasswordLength } from '@/lib/auth/portals';
import type { PersonView } from '@/lib/users/views';
import { useRoleChoices } from './role-choices';

const labels = { name: 'Name', email: 'Email', role: 'Role', status: 'Status' };

type PersonEditorProps = {
  /** Null for a new one. */
  person: PersonView | null;
  statuses: readonly UserStatus[];
  closeHref: string;
};

/** Adds or edits somebody; a password is asked for with a new account only (spec 000, section 5). */
export function PersonEditor({ person, statuses, closeHref }: PersonEditorProps) {
  const choices = useRoleChoices();
  const roles = person && !choices.includes(person.role) ? [person.role, ...choices] : choices;
  return (
    <RecordEditor
      record={person && { ...person, name: person.name || person.email, givenName: person.name }}
      noun="user"
      collection="/api/users"
      closeHref={closeHref}
      labels={labels}
      textOf={(row, field) => (field === 'name' ? nameText(row) : fieldText(row, field))}
      validate={(data) => complaints(data, person === null)}
      consequence="They are signed out and cannot sign in again; their sites leave the marketplace. Orders and money stay in the books, and the email stays taken."
    >
      {(row, errors) => (
        <>
          <TextField
            name="name"
            label={labels.name}
            required
            maxLength={120}
            autoComplete="off"
            defaultValue={row ? nameText(row) : ''}
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
            hint={row ? 'Another address, status or role signs the person out everywhere.' : undefined}
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
    </RecordEditor>
  );
}

type Editable = PersonView & { givenName?: string };

/** The dialog is titled with the email where there is no name; the field then is empty. */
const nameText = ({ givenName, name }: Editable) => givenName ?? name;

function complaints(data: FormData, isNew: boolean): Record<string, string> {
  const found: Record<string, string> = {};
  if (textOf(data, 'name').trim() === '') found.name = 'Enter a name.';
  if (textOf(data, 'email').trim() === '') found.email = 'Enter an email.';
  if (isNew && textOf(data, 'password').length < minPasswordLength) {
    found.password = 'Password must be at least 8 characters.';
  }
  return found;
}
