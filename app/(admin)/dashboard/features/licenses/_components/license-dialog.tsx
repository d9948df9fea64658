import { nullIfNotFound } from '@/lib/browser/null-if-not-found';
import { MissingRecord } from '@/components/table/record-dialog';
import { getLicense } from '@/lib/licenses/queries';
import { licenseIdParams } from '@/lib/licenses/schemas';
import { licenseView } from '@/lib/licenses/views';
import { listPackageChoices } from '@/lib/packages/queries';
import { listWalletUsers } from '@/lib/users/queries';
import { type LicenseChoices, LicenseEditor } from './license-editor';

/** How many people the form offers (spec 001, section 9). */
const maxPeople = 500;

/** The dialog of the license that the address names: a number, 'new', or '' for none. */
export async function LicenseDialog({ id, closeHref }: { id: string; closeHref: string }) {
  if (id === '') return null;
  const choices = await readChoices();
  if (id === 'new') return <LicenseEditor key="new" record={null} closeHref={closeHref} {...choices} />;
  const params = licenseIdParams.safeParse({ id });
  const found = params.success ? await nullIfNotFound(getLicense(params.data.id)) : null;
  if (!found) return <MissingRecord key={id} noun="license" closeHref={closeHref} />;
  return <LicenseEditor key={id} record={licenseView(found)} closeHref={closeHref} {...choices} />;
}

async function readChoices(): Promise<LicenseChoices> {
  const [packages, { rows: people }] = await Promise.all([
    listPackageChoices(),
    listWalletUsers({ limit: maxPeople, offset: 0 }),
  ]);
  return {
    packages: packages.map(({ id, name }) => ({ value: String(id), label: name })),
    people: people.map(({ id, name, email }) => ({ value: id, label: name ? `${name} (${email})` : email })),
  };
}
