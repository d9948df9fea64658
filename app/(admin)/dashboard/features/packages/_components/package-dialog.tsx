import { nullIfNotFound } from '@/lib/browser/null-if-not-found';
import { MissingRecord } from '@/components/table/record-dialog';
import { getPackage } from '@/lib/packages/queries';
import { packageIdParams } from '@/lib/packages/schemas';
import { adminPackageView } from '@/lib/packages/views';
import { LinksPreview } from './links-preview';
import { PackageEditor } from './package-editor';

/** The dialog of the package that the address names: a number, 'new', or '' for none. */
export async function PackageDialog({ id, closeHref }: { id: string; closeHref: string }) {
  if (id === '') return null;
  if (id === 'new') return <PackageEditor key="new" record={null} closeHref={closeHref} />;
  const params = packageIdParams.safeParse({ id });
  const found = params.success ? await nullIfNotFound(getPackage(params.data.id)) : null;
  if (!found) return <MissingRecord key={id} noun="package" closeHref={closeHref} />;
  return (
    <PackageEditor
      key={id}
      record={adminPackageView(found)}
      closeHref={closeHref}
      preview={<LinksPreview links={found.links} />}
    />
  );
}
