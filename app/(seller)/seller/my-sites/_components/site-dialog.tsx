import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { DialogBody } from '@/components/ui/dialog';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { findSellerSite } from '@/lib/sites/seller-queries';
import { EditSite } from './edit-site';
import type { OwnSiteChoices } from './own-site-fields';

type SiteDialogProps = OwnSiteChoices & {
  /** As it stands in the address; '' for none. */
  id: string;
  ownerId: string;
  closeHref: string;
};

/** The dialog of the site that the address names. */
export async function SiteDialog({ id, ownerId, closeHref, ...choices }: SiteDialogProps) {
  if (id === '') return null;
  const params = siteIdParams.safeParse({ id });
  const site = params.success ? await findSellerSite(ownerId, params.data.id) : null;
  if (site) return <EditSite key={id} site={site} closeHref={closeHref} {...choices} />;
  return (
    <RecordDialog key={id} title="Site not found" closeHref={closeHref} size="sm">
      <DialogBody>
        <Alert tone="warning">This site does not exist or was withdrawn.</Alert>
      </DialogBody>
    </RecordDialog>
  );
}
