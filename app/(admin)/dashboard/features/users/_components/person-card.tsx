import { UserStatusBadge } from '@/components/users/user-status-badge';
import { EditPersonLink } from './edit-person-link';
import { PersonName } from './person-name';
import { PersonRole, type PersonRow } from './person-role';

/** One person on a phone. */
export function PersonCard({ person, editHref }: { person: PersonRow; editHref: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      <div className="flex items-start justify-between gap-3">
        <PersonName {...person} />
        <UserStatusBadge status={person.status} />
      </div>
      <div className="flex items-center justify-between gap-3">
        <PersonRole person={person} />
        <EditPersonLink name={person.name || person.email} href={editHref} />
      </div>
    </div>
  );
}
