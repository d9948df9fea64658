'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { deleteFilterAction, saveFilterAction } from '@/app/(user)/user/marketplace/actions';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { marketplacePath } from '@/components/sites/filters/filter-params';
import { describeFilter } from '@/components/sites/filters/list-active-filters';
import { withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Button, IconButton } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Dialog, DialogBody } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { SavedFilter } from '@/lib/users/saved-filters';

/** Matches lib/users/saved-filters.ts. */
const maxName = 60;

type SavedFiltersDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  saved: readonly SavedFilter[];
  /** The query string of the marketplace's URL. */
  query: string;
};

/** Saves the current filter under a name, and lists the saved filters. */
export function SavedFiltersDialog({ open, onOpenChange, saved, query }: SavedFiltersDialogProps) {
  const current = describeFilter(query);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Saved filters"
      description="Saved to your account and available on every device."
      size="md"
    >
      <DialogBody className="grid content-start gap-5">
        {current ? <SaveFilterForm query={query} summary={current} saved={saved} /> : null}
        {saved.length > 0 ? (
          <ul aria-label="Saved filters" className="divide-y divide-line rounded-lg border border-line">
            {saved.map((filter) => (
              <SavedFilterItem
                key={filter.id}
                filter={filter}
                projectId={new URLSearchParams(query).get('projectId')}
                onUse={() => onOpenChange(false)}
              />
            ))}
          </ul>
        ) : null}
        {current || saved.length > 0 ? null : (
          <p className="py-6 text-center text-muted text-sm">
            No saved filters yet. Filter or sort the marketplace, then save the view here.
          </p>
        )}
      </DialogBody>
    </Dialog>
  );
}

type SavedFilterItemProps = {
  filter: SavedFilter;
  /** The current project, which stays. */
  projectId: string | null;
  onUse: () => void;
};

/** Renders a saved filter with a link to its list and a delete button. */
function SavedFilterItem({ filter: { id, name, query }, projectId, onUse }: SavedFilterItemProps) {
  return (
    <li className="flex items-center gap-2 py-2 pr-2 pl-4">
      <Link
        prefetch={false}
        href={withParams(marketplacePath, new URLSearchParams(query), { projectId })}
        onClick={onUse}
        className="group mr-auto min-w-0 rounded-sm"
      >
        <span className="block truncate font-medium text-accent-ink text-sm group-hover:underline">{name}</span>
        <span className="block truncate text-muted text-xs">{describeFilter(query)}</span>
      </Link>
      <ConfirmAction
        title={`Delete the saved filter “${name}”?`}
        confirmLabel="Delete"
        action={() => callAction(() => deleteFilterAction({ id })).catch(redirectIfSignedOut)}
        trigger={
          <IconButton label={`Delete ${name}`}>
            <Icon name="trash" />
          </IconButton>
        }
      />
    </li>
  );
}

type SaveFilterFormProps = {
  /** The query string of the marketplace's URL, and its description. */
  query: string;
  summary: string;
  saved: readonly SavedFilter[];
};

/** Saves the current filter under a name. An existing name can be overwritten. */
function SaveFilterForm({ query, summary, saved }: SaveFilterFormProps) {
  const router = useRouter();
  const [name, setName] = useState('');
  const claimed = saved.find((filter) => filter.name.toLowerCase() === name.trim().toLowerCase());
  const form = useApiForm<SavedFilter>({
    validate: (data): Record<string, string> => (getFormText(data, 'name').trim() ? {} : { name: 'Enter a name.' }),
    submit: (data) =>
      callAction(() =>
        saveFilterAction({ name: getFormText(data, 'name'), query, overwrite: claimed !== undefined }),
      ).catch(redirectIfSignedOut),
    onSuccess: (filter) => {
      setName((typed) => (typed.trim() === filter.name ? '' : typed));
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
          label="Filter name"
          required
          maxLength={maxName}
          placeholder="Tech, DR 40+"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint={claimed ? `Replaces “${claimed.name}”.` : summary}
          error={form.fields.name}
          className="min-w-0 flex-1"
        />
        <Button type="submit" variant="primary" pending={form.pending} className="mt-[1.625rem]">
          {claimed ? 'Replace' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
