import { MissingRecord } from '@/components/table/record-dialog';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { findSellerSite } from '@/lib/sites/seller-queries';
import { OwnSiteDialog } from './own-site-dialog';
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
  if (site) return <OwnSiteDialog key={id} site={site} closeHref={closeHref} {...choices} />;
  return <MissingRecord key={id} noun="site" closeHref={closeHref} />;
}
