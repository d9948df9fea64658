'use client';

import { useRouter } from 'next/navigation';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { NameKind } from './name-list';

type AddNameProps = { type: NameKind; noun: string; names: readonly string[] };

/** Adds a name. Ignores a blank or existing name. */
export function AddName({ type, noun, names }: AddNameProps) {
  const router = useRouter();
  const form = useApiForm({
    submit: async (data) => {
      const name = getFormText(data, 'name').trim();
      if (name === '' || names.some((known) => known.toLowerCase() === name.toLowerCase())) return;
      await apiFetch('/api/niches-types', { method: 'POST', body: { type, name } }).catch((cause: unknown) => {
        if (!(cause instanceof ApiError)) throw cause;
        const text = `Save failed (HTTP ${cause.status})`;
        throw new ApiError(cause.status, cause.message ? `${text}: ${cause.message}` : text, cause.fields);
      });
      router.refresh();
    },
    onSuccess: (_, element) => element.reset(),
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  return (
    <form className="grid gap-3 px-4 py-3 sm:px-5" {...form.formProps}>
      {form.error ? <Alert tone="error">{form.error}</Alert> : null}
      <div className="flex items-end gap-2">
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
      </div>
    </form>
  );
}
