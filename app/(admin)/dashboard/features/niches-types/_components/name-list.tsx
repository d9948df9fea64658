import { Card, CardHeader } from '@/components/ui/card';
import { AddName } from './add-name';
import { DeleteName } from './delete-name';

export type NameKind = 'niche' | 'type';

type NameListProps = { type: NameKind; title: string; noun: string; names: readonly string[] };

/** A list of names with buttons to add and delete them. */
export function NameList({ type, title, noun, names }: NameListProps) {
  return (
    <Card>
      <CardHeader title={`${title} (${names.length})`} />
      <AddName type={type} noun={noun} names={names} />
      {names.length > 0 ? (
        <ul aria-label={title} className="divide-y divide-line border-line border-t">
          {names.map((name) => (
            <li key={name} className="flex items-center justify-between gap-3 py-1.5 pr-2 pl-4 sm:pl-5">
              <span className="wrap-anywhere line-clamp-2 min-w-0 text-ink text-sm">{name}</span>
              <DeleteName type={type} noun={noun} name={name} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="border-line border-t px-4 py-3 text-muted text-sm sm:px-5">None yet.</p>
      )}
    </Card>
  );
}
