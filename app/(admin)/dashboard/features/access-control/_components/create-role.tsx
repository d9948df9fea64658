'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { httpFailure } from '@/lib/browser/http-failure';

/** Creates a role without permissions and selects it. */
export function CreateRole({ onCreated }: { onCreated: () => Promise<void> }) {
  const router = useRouter();
  const form = useApiForm<{ name: string }>({
    validate: (data): Record<string, string> =>
      getFormText(data, 'name').trim() === '' ? { name: 'Enter a role name.' } : {},
    submit: (data) =>
      apiFetch<{ name: string }>('/api/acl/roles', { method: 'POST', body: { name: getFormText(data, 'name') } }).catch(
        (cause: unknown) => {
          if (!(cause instanceof ApiError)) throw cause;
          throw new ApiError(cause.status, httpFailure('Create failed', cause));
        },
      ),
    onSuccess: ({ name }, element) => {
      element.reset();
      toast.success(`Role “${name}” created.`);
      router.push(`?role=${encodeURIComponent(name)}`, { scroll: false });
      void onCreated();
    },
    fallback: (status) => `Create failed (HTTP ${status})`,
  });
  return (
    <form className="grid gap-3 px-4 py-3 sm:px-5" {...form.formProps}>
      {form.error ? <Alert tone="error">{form.error}</Alert> : null}
      <div className="flex items-end gap-2">
        <TextField
          name="name"
          label="New role"
          maxLength={60}
          autoComplete="off"
          placeholder="e.g. Editor"
          className="min-w-0 flex-1"
          error={form.fields.name}
        />
        <Button type="submit" pending={form.pending} className={form.fields.name ? 'mb-5.5' : undefined}>
          Create role
        </Button>
      </div>
    </form>
  );
}
