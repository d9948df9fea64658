'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { useApiForm } from '@/components/form/use-api-form';
import { SiteStatusBadge } from '@/components/sites/site-status-badge';
import { DeleteRecord } from '@/components/table/delete-record';
import { EditorDialog, useEditor } from '@/components/table/editor-dialog';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import { ApiError } from '@/lib/browser/api-client';
import { callAction } from '@/lib/browser/call-action';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { SellerSiteRow } from '@/lib/sites/seller-view';
import { editOwnSiteAction, withdrawSiteAction } from '../actions';
import { type OwnSiteChoices, OwnSiteFields } from './own-site-fields';
import { missingFields, ownSiteOf } from './own-site-of';

export type EditSiteProps = OwnSiteChoices & {
  site: SellerSiteRow;
  /** The list's address without the site. */
  closeHref: string;
};

/** What a change means for a site that is where it is. */
const means = {
  Approved: 'This site is on sale. A change takes it off sale until we have reviewed it again.',
  Pending: 'We have not reviewed this site yet.',
  Rejected: 'We did not accept this site. Change what is wrong and save: it goes back to review.',
} as const satisfies Record<SellerSiteRow['status'], string>;

/** The edit dialog of an own site. What was typed stays, whatever the server answers; closing with changes asks first. */
export function EditSite({ site, closeHref, ...choices }: EditSiteProps) {
  const router = useRouter();
  const editor = useEditor(closeHref);
  const form = useApiForm<{ name: string; status: string }>({
    validate: missingFields,
    submit: (data) =>
      callAction(editOwnSiteAction({ id: String(site.id), version: site.version, body: ownSiteOf(data) }))
        .catch(redirectIfSignedOut)
        .catch(withoutPrefix),
    onSuccess: ({ name, status }) => {
      toast.success(
        status === 'Pending' ? `${name} saved. It is Pending until we have reviewed it.` : `${name} saved.`,
      );
      editor.close();
      router.refresh();
    },
    fallback: (status) => `Save failed (HTTP ${status})`,
  });

  return (
    <EditorDialog
      editor={editor}
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          Edit {site.name} <SiteStatusBadge status={site.status} />
        </span>
      }
      size="lg"
    >
      <form className="contents" {...form.formProps} onChange={editor.touch}>
        <DialogBody className="grid content-start gap-5">
          {form.error ? (
            <Alert tone="error">{form.error}</Alert>
          ) : (
            <Alert tone={site.status === 'Rejected' ? 'warning' : 'info'}>{means[site.status]}</Alert>
          )}
          <OwnSiteFields site={site} errors={form.fields} {...choices} />
        </DialogBody>
        <DialogFooter>
          <DeleteRecord
            remove={() => callAction(withdrawSiteAction({ id: String(site.id) })).catch(redirectIfSignedOut)}
            noun="site"
            name={site.name}
            words={{ verb: 'Withdraw', done: 'withdrawn' }}
            consequence="Buyers can no longer order it, and it leaves your list. Orders that were placed on it stay."
            onDeleted={editor.close}
          />
          <Button onClick={editor.leave}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>
            Save changes
          </Button>
        </DialogFooter>
      </form>
    </EditorDialog>
  );
}

/** The action's input wraps the form's fields; its complaints are told beside them. */
function withoutPrefix(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  const fields = Object.entries(cause.fields).map(([name, text]) => [name.replace(/^body\./, ''), text]);
  throw new ApiError(cause.status, cause.message, Object.fromEntries(fields));
}
