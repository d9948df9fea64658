'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { getFormText, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { FormError } from '@/components/ui/alert';
import { Button, IconButton } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Dialog, DialogBody } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { callAction, unwrapAction } from '@/lib/browser/api-client';
import { deleteViewAction, renameViewAction, saveViewAction } from '@/lib/users/actions';
import type { SavedFilter } from '@/lib/users/saved-filters';
import type { ListViews } from './saved-views';

/** Matches lib/users/saved-filters.ts. */
const maxName = 60;

type SavedViewsDialogProps = ListViews & { open: boolean; onOpenChange: (open: boolean) => void };

/** Saves the current view of a list under a name, and lists the saved views. */
export function SavedViewsDialog({ open, onOpenChange, pathname, saved, query }: SavedViewsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Saved views"
      description="A view keeps the filters, the order and the page size of this list. Only you see yours."
      size="md"
    >
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        {query ? (
          <SaveViewForm list={pathname} query={query} saved={saved} />
        ) : (
          <p className="text-muted text-sm">Filter or sort the list first, then save the view here.</p>
        )}
        {saved.length > 0 ? (
          <ul aria-label="Saved views" className="divide-y divide-line rounded-lg border border-line">
            {saved.map((view) => (
              <SavedView
                key={view.id}
                view={view}
                href={`${pathname}?${view.query}`}
                onUse={() => onOpenChange(false)}
              />
            ))}
          </ul>
        ) : null}
      </DialogBody>
    </Dialog>
  );
}

type SaveViewFormProps = { list: string; query: string; saved: readonly SavedFilter[] };

/** Saves the current view. An existing name is replaced. */
function SaveViewForm({ list, query, saved }: SaveViewFormProps) {
  const router = useRouter();
  const [name, setName] = useState('');
  const claimed = saved.find((view) => view.name.toLowerCase() === name.trim().toLowerCase());
  const form = useApiForm<SavedFilter>({
    validate: (data): Record<string, string> => (getFormText(data, 'name').trim() ? {} : { name: 'Enter a name.' }),
    submit: (data) =>
      callAction(() =>
        saveViewAction({ list, name: getFormText(data, 'name'), query, overwrite: claimed !== undefined }),
      ),
    onSuccess: (view) => {
      setName((typed) => (typed.trim() === view.name ? '' : typed));
      toast.success(`Saved as “${view.name}”.`);
      router.refresh();
    },
    fallback: () => 'The view was not saved. Try again.',
  });
  return (
    <form {...form.formProps} className="grid gap-3" data-unmarked="">
      <FormError error={form.error} />
      <div className="flex items-start gap-2">
        <TextField
          name="name"
          label="Name of this view"
          required
          maxLength={maxName}
          placeholder="Late, by day"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint={claimed ? `Replaces “${claimed.name}”.` : undefined}
          error={form.fields.name}
          className="min-w-0 flex-1"
        />
        <Button type="submit" variant="primary" pending={form.pending} className="mt-[1.625rem]">
          {claimed ? 'Replace' : 'Save view'}
        </Button>
      </div>
    </form>
  );
}

type SavedViewProps = { view: SavedFilter; href: string; onUse: () => void };

/** Renders a saved view: a link to its list, or the field of its name while it is renamed. */
function SavedView({ view, href, onUse }: SavedViewProps) {
  const [isRenaming, setRenaming] = useState(false);
  return (
    <li className="flex items-center gap-1 py-2 pr-2 pl-4">
      {isRenaming ? (
        <RenameForm view={view} onDone={() => setRenaming(false)} />
      ) : (
        <>
          <Link
            prefetch={false}
            href={href}
            onClick={onUse}
            className="wrap-anywhere mr-auto min-w-0 rounded-sm font-medium text-accent-ink text-sm hover:underline"
          >
            {view.name}
          </Link>
          <IconButton label={`Rename ${view.name}`} onClick={() => setRenaming(true)}>
            <Icon name="pencil" />
          </IconButton>
          <ConfirmAction
            title={`Delete the saved view “${view.name}”?`}
            confirmLabel="Delete"
            action={() => unwrapAction(() => deleteViewAction({ id: view.id }))}
            trigger={
              <IconButton label={`Delete ${view.name}`}>
                <Icon name="trash" />
              </IconButton>
            }
          />
        </>
      )}
    </li>
  );
}

function RenameForm({ view: { id, name }, onDone }: { view: SavedFilter; onDone: () => void }) {
  const router = useRouter();
  const form = useApiForm({
    validate: (data): Record<string, string> => (getFormText(data, 'name').trim() ? {} : { name: 'Enter a name.' }),
    submit: (data) => callAction(() => renameViewAction({ id, name: getFormText(data, 'name') })),
    onSuccess: () => {
      router.refresh();
      onDone();
    },
  });
  return (
    <form {...form.formProps} className="flex min-w-0 flex-1 items-start gap-2" data-unmarked="">
      <TextField
        name="name"
        label="New name"
        required
        autoFocus
        maxLength={maxName}
        autoComplete="off"
        defaultValue={name}
        error={form.fields.name ?? form.error ?? undefined}
        className="min-w-0 flex-1"
      />
      <Button type="submit" variant="primary" pending={form.pending} className="mt-[1.625rem]">
        Rename
      </Button>
      <Button onClick={onDone} disabled={form.pending} className="mt-[1.625rem]">
        Cancel
      </Button>
    </form>
  );
}
