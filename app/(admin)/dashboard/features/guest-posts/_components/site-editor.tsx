'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useApiForm } from '@/components/form/use-api-form';
import { useRecordClose } from '@/components/table/use-record-close';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog';
import { toast } from '@/components/ui/toast';
import { ApiError, apiFetch } from '@/lib/http/client';
import type { AdminSiteView } from '@/lib/sites/views';
import { DeleteSite } from './delete-site';
import { editedFields } from './edited-fields';
import { saveFailure } from './save-failure';
import { type SiteChoices, SiteFields } from './site-fields';
import { StaleNotice } from './stale-notice';

export type { SiteChoices };

type SiteEditorProps = SiteChoices & {
  /** Null for a new one. */
  site: AdminSiteView | null;
  /** The list's address without the site. */
  closeHref: string;
  /** Rendered on the server. */
  history?: ReactNode;
};

/** The add and edit dialog. What was typed stays, whatever the server answers; closing with changes asks first. */
export function SiteEditor({ site, closeHref, history, ...choices }: SiteEditorProps) {
  const router = useRouter();
  const { open, close } = useRecordClose(closeHref);
  const [isDirty, setIsDirty] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  /** What the form was filled from, and what somebody else made of the site in the meantime. */
  const [base, setBase] = useState(site);
  const [theirs, setTheirs] = useState<AdminSiteView | null>(null);
  const [version, setVersion] = useState(site?.version);

  const form = useApiForm<AdminSiteView>({
    submit: async (data) => {
      const body = { ...(base ? editedFields(data, base) : Object.fromEntries(data)), version };
      const [path, method] = site
        ? ([`/api/guest-posts/${site.id}`, 'PUT'] as const)
        : (['/api/guest-posts', 'POST'] as const);
      try {
        return await apiFetch<AdminSiteView>(path, { method, body });
      } catch (cause) {
        if (site && cause instanceof ApiError && cause.status === 409) {
          const latest = await apiFetch<AdminSiteView>(path).catch(() => null);
          if (latest && latest.version !== version) setTheirs(latest);
        }
        return saveFailure(cause);
      }
    },
    onSuccess: (saved) => {
      toast.success(site ? `${saved.name} saved.` : `${saved.name} added.`);
      close();
      router.refresh();
    },
    fallback: (status) => `Save failed (HTTP ${status})`,
  });

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (next) return;
        if (isDirty) setIsLeaving(true);
        else close();
      }}
      title={site ? `Edit ${site.name}` : 'Add a site'}
      size="xl"
    >
      {/* A new key fills the form anew. */}
      <form key={base?.version} className="contents" {...form.formProps} onChange={() => setIsDirty(true)}>
        <DialogBody className="grid content-start gap-6">
          {form.error ? <Alert tone="error">{form.error}</Alert> : null}
          {base && theirs ? (
            <StaleNotice
              base={base}
              theirs={theirs}
              onKeepMine={() => {
                setVersion(theirs.version);
                setTheirs(null);
                form.reset();
              }}
              onUseTheirs={() => {
                setVersion(theirs.version);
                setBase(theirs);
                setTheirs(null);
                setIsDirty(false);
                form.reset();
              }}
            />
          ) : null}
          <SiteFields site={base} errors={form.fields} {...choices} />
          {history}
        </DialogBody>
        <DialogFooter>
          {site ? <DeleteSite id={site.id} name={site.name} onDeleted={close} /> : null}
          <Button onClick={() => (isDirty ? setIsLeaving(true) : close())}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>
            {site ? 'Save changes' : 'Add site'}
          </Button>
        </DialogFooter>
      </form>
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setIsLeaving}
        title="Discard your changes?"
        description="What you typed is not saved."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={async () => close()}
      />
    </Dialog>
  );
}
