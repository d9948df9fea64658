import { MissingRecord } from '@/components/table/record-dialog';
import { AppError } from '@/lib/errors';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { getManagedSite } from '@/lib/sites/managed-queries';
import { adminSiteView } from '@/lib/sites/views';
import { type SiteChoices, SiteEditor } from './site-editor';
import { SiteHistory } from './site-history';

type SiteDialogProps = SiteChoices & {
  /** As it stands in the address: a number, 'new', or '' for none. */
  id: string;
  closeHref: string;
};

/** The dialog of the site that the address names, or of a new one. */
export async function SiteDialog({ id, closeHref, ...choices }: SiteDialogProps) {
  if (id === '') return null;
  if (id === 'new') return <SiteEditor key="new" site={null} closeHref={closeHref} {...choices} />;
  const site = await find(id);
  if (!site) return <MissingRecord key={id} noun="site" closeHref={closeHref} />;
  return <SiteEditor key={id} site={site} closeHref={closeHref} history={<SiteHistory site={site} />} {...choices} />;
}

/** @returns null for what is no site */
async function find(id: string) {
  const params = siteIdParams.safeParse({ id });
  if (!params.success) return null;
  try {
    return adminSiteView(await getManagedSite(params.data.id));
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}
