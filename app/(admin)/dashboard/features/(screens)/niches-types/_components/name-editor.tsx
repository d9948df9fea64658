'use client';

import { useRouter } from 'next/navigation';
import { LineForm } from '@/components/form/card-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Icon } from '@/components/ui/icon';
import { apiFetch, deleteFailure, saveFailure } from '@/lib/browser/api-client';

type AddNameProps = { type: NameKind; noun: string; names: readonly string[] };

/** Adds a name. Ignores a blank or existing name. */
function AddName({ type, noun, names }: AddNameProps) {
  const router = useRouter();
  const form = useApiForm({
    submit: async (data) => {
      const name = getFormText(data, 'name').trim();
      if (name === '' || names.some((known) => known.toLowerCase() === name.toLowerCase())) return;
      await apiFetch('/api/niches-types', { method: 'POST', body: { type, name } }).catch(saveFailure);
      router.refresh();
    },
    clears: true,
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  return (
    <LineForm form={form}>
      <TextField
        name="name"
        label={`New ${noun}`}
        maxLength={100}
        autoComplete="off"
        className="min-w-0 flex-1"
        error={form.fields.name}
      />
      <Button type="submit" pending={form.pending} aria-label={`Add ${noun}`}>
        Add
      </Button>
    </LineForm>
  );
}

function DeleteName({ type, noun, name }: { type: NameKind; noun: string; name: string }) {
  return (
    <ConfirmAction
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Delete ${name}`} className="text-red-ink">
          <Icon name="trash" />
        </Button>
      }
      title={`Delete the ${noun} “${name}”?`}
      description="Sites that use it keep it, but it can no longer be chosen."
      confirmLabel={`Delete ${noun}`}
      action={() =>
        apiFetch(`/api/niches-types/${type}/${encodeURIComponent(name)}`, { method: 'DELETE' }).catch(deleteFailure)
      }
    />
  );
}

type NameKind = 'niche' | 'type';

type NameListProps = { type: NameKind; title: string; noun: string; names: readonly string[] };

/** Renders a list of names with buttons to add and delete them. */
export function NameList({ type, title, noun, names }: NameListProps) {
  return (
    <Card>
      <CardHeader title={`${title} (${names.length})`} />
      <AddName type={type} noun={noun} names={names} />
      {names.length > 0 ? (
        <ul aria-label={title} className="divide-y divide-line border-line border-t">
          {names.map((name) => (
            <li key={name} className="flex items-center justify-between gap-3 py-1.5 pr-2 pl-4 sm:pl-5">
              <span className="wrap-anywhere line-clamp-2 min-w-0 text-ink text-sm">{name}</span>
              <DeleteName type={type} noun={noun} name={name} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="border-line border-t px-4 py-3 text-muted text-sm sm:px-5">None yet.</p>
      )}
    </Card>
  );
}
