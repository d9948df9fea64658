'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { TextField } from '@/components/form/text-field';
import { textOf } from '@/components/form/text-of';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { callAction } from '@/lib/browser/call-action';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { SavedFilter } from '@/lib/sites/preferences/save-filter';
import { saveFilterAction } from '../actions';

/** As lib/sites/preferences/schemas.ts has it. */
const maxName = 60;

type SaveFilterFormProps = {
  /** The marketplace's address after the question mark, and what it holds in words. */
  query: string;
  summary: string;
  saved: readonly SavedFilter[];
};

/** Gives the filter in force a name. A name that is taken can be taken over. */
export function SaveFilterForm({ query, summary, saved }: SaveFilterFormProps) {
  const router = useRouter();
  const [name, setName] = useState('');
  const taken = saved.find((filter) => filter.name.toLowerCase() === name.trim().toLowerCase());
  const form = useApiForm<SavedFilter>({
    validate: (data): Record<string, string> => (textOf(data, 'name').trim() ? {} : { name: 'Enter a name.' }),
    submit: (data) =>
      callAction(saveFilterAction({ name: textOf(data, 'name'), query, overwrite: taken !== undefined })).catch(
        redirectIfSignedOut,
      ),
    onSuccess: (filter) => {
      setName('');
      toast.success(`Saved as “${filter.name}”`, { duration: 2800 });
      router.refresh();
    },
    fallback: () => 'The filter was not saved. Try again.',
  });
  return (
    <form {...form.formProps} className="grid gap-3" data-unmarked="">
      {form.error ? <Alert tone="error">{form.error}</Alert> : null}
      <div className="flex items-start gap-2">
        <TextField
          name="name"
          label="Name of this filter"
          required
          maxLength={maxName}
          placeholder="Tech, DR 40 and up"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint={taken ? `Replaces “${taken.name}”.` : summary}
          error={form.fields.name}
          className="min-w-0 flex-1"
        />
        <Button type="submit" variant="primary" pending={form.pending} className="mt-[1.625rem]">
          {taken ? 'Replace' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
