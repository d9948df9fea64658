'use client';

import { useState } from 'react';
import { EntityDialog, restEntity } from '@/components/form/entity-dialog';
import { getFormText } from '@/components/form/fields';
import { Checkbox } from '@/components/ui/controls';
import { FieldError } from '@/components/ui/field';
import { userLabel } from '@/components/ui/format';
import { UserField } from '@/components/users/user-field';
import type { FeatureRoleView } from '@/lib/roles/feature-roles/contract';

const labels = { name: 'Role name', userId: 'User', features: 'Features' };

type RoleEditorProps = {
  /** Null for a new record. */
  record: FeatureRoleView | null;
  /** The available features, and the screens that each opens. */
  choices: readonly { name: string; opens: string }[];
  closeHref: string;
};

/** Creates or edits a record: its name, its user and its features. */
export function RoleEditor({ record, choices, closeHref }: RoleEditorProps) {
  return (
    <EntityDialog
      record={record}
      name={record?.name}
      noun="role"
      at={{ closeHref }}
      store={restEntity('/api/roles', record, bodyOf)}
      getFormText={roleText}
      shownAs={(row, field) => (field === 'userId' ? row.userName : roleText(row, field))}
      validate={validate}
      deletion={{ consequence: 'The user loses these features immediately. Their role doesn’t change.' }}
      fields={() => [{ name: 'name', label: labels.name, required: true, maxLength: 60 }]}
      labels={labels}
    >
      {(row, errors) => (
        <>
          <UserField
            label={labels.userId}
            chosen={row ? { id: row.userId, label: labelOf(row) } : null}
            error={errors.userText ?? errors.userId}
          />
          <FeatureChoice choices={choices} chosen={row?.features ?? []} error={errors.features} />
        </>
      )}
    </EntityDialog>
  );
}

const bodyOf = ({ userText: _typed, features, ...fields }: Record<string, FormDataEntryValue>) =>
  features === undefined ? fields : { ...fields, features: String(features).split(', ').filter(Boolean) };

const labelOf = ({ userName, userEmail }: FeatureRoleView) =>
  userLabel({ name: userName === userEmail ? '' : userName, email: userEmail });

function roleText(row: FeatureRoleView, field: string): string {
  if (field === 'features') return row.features.join(', ');
  if (field === 'userText') return labelOf(row);
  return field === 'userId' ? row.userId : row.name;
}

function validate(data: FormData): Record<string, string> {
  const found: Record<string, string> = {};
  if (getFormText(data, 'name').trim() === '') found.name = 'Enter a role name.';
  if (getFormText(data, 'userId') === '') found.userText = 'Please select a valid user.';
  return found;
}

type FeatureChoiceProps = {
  choices: readonly { name: string; opens: string }[];
  chosen: readonly string[];
  error?: string;
};

/** Renders a checkbox for each feature. Submits the selection as one string, in list order. */
function FeatureChoice({ choices, chosen: before, error }: FeatureChoiceProps) {
  const [chosen, setChosen] = useState(before);
  const inOrder = choices.map(({ name }) => name).filter((name) => chosen.includes(name));
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-medium text-ink text-sm">Features</legend>
      {choices.map(({ name, opens }) => (
        <Checkbox
          key={name}
          checked={chosen.includes(name)}
          onChange={(event) =>
            setChosen(event.target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
          }
          label={
            <>
              <span className="block text-ink text-sm">{name}</span>
              <span className="block text-muted text-xs">{opens}</span>
            </>
          }
        />
      ))}
      <input type="hidden" name="features" value={inOrder.join(', ')} />
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}
