import { MissingRecord } from '@/components/table/record-dialog';
import { userStatuses } from '@/db/schema/users';
import { findPerson } from '@/lib/users/directory-queries';
import { personView } from '@/lib/users/views';
import { PersonEditor } from './person-editor';

/** The form of the person whom the address names: an id, 'new', or '' for none. */
export async function PersonDialog({ id, closeHref }: { id: string; closeHref: string }) {
  if (id === '') return null;
  if (id === 'new') return <PersonEditor key="new" person={null} statuses={userStatuses} closeHref={closeHref} />;
  const person = await findPerson(id);
  if (!person) return <MissingRecord key={id} noun="user" closeHref={closeHref} />;
  return <PersonEditor key={id} person={personView(person)} statuses={userStatuses} closeHref={closeHref} />;
}
