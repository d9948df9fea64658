import type { PersonView } from '@/lib/users/views';
import { RoleSelect } from './role-select';

export type PersonRow = PersonView & {
  /** May the signed-in person change this one's role? Not one's own, nor that of somebody with more rights. */
  mayAssign: boolean;
};

export function PersonRole({ person }: { person: PersonRow }) {
  if (!person.mayAssign) return <span className="inline-block px-3 text-muted text-sm">{person.role}</span>;
  return <RoleSelect id={person.id} name={person.name || person.email} role={person.role} />;
}
