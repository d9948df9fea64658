import { MissingRecord } from '@/components/table/record-dialog';
import { nullIfNotFound } from '@/lib/browser/null-if-not-found';
import { describeFeature, features } from '@/lib/roles/feature-roles/features';
import { requireFeatureRole } from '@/lib/roles/feature-roles/queries';
import { featureRoleView } from '@/lib/roles/feature-roles/views';
import { RoleEditor } from './role-editor';

const choices = features.map((name) => ({ name, opens: describeFeature(name) }));

/** The form of the record that the address names: an id, 'new', or '' for none. */
export async function RoleDialog({ id, closeHref }: { id: string; closeHref: string }) {
  if (id === '') return null;
  if (id === 'new') return <RoleEditor key="new" record={null} choices={choices} closeHref={closeHref} />;
  const found = await nullIfNotFound(requireFeatureRole(id));
  if (!found) return <MissingRecord key={id} noun="role" closeHref={closeHref} />;
  return <RoleEditor key={id} record={featureRoleView(found)} choices={choices} closeHref={closeHref} />;
}
