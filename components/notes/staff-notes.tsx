import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { listNotes, type Subject } from '@/lib/notes/notes';
import { listKnownTags, listTags } from '@/lib/notes/tags';
import { DeleteNote, NoteForm, TagEditor } from './note-forms';

type StaffNotesProps = { actor: Actor; subject: Subject };

/** Renders the internal notes and tags of a user or an order; nothing for staff who do not manage such records. */
export async function StaffNotes({ actor, subject }: StaffNotesProps) {
  if (!hasPermission(actor, subject.kind === 'user' ? 'ManageUsers' : 'ManageOrders')) return null;
  const [notes, tags, known] = await Promise.all([listNotes(subject), listTags(subject), listKnownTags(subject.kind)]);
  return (
    <Card aria-labelledby="notes-heading">
      <CardHeader
        title={<span id="notes-heading">Internal notes</span>}
        description="Only your team sees notes and tags."
      />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <TagEditor subject={subject} tags={tags} known={known} />
        <NoteForm subject={subject} />
        {notes.length > 0 ? (
          <ul aria-label="Notes" className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
            {notes.map(({ id, text, author, createdAt }) => (
              <li key={id} className="border-line border-t pt-3">
                <div className="flex items-start justify-between gap-2">
                  <p className="wrap-anywhere min-w-0 whitespace-pre-line text-ink">{text}</p>
                  <DeleteNote kind={subject.kind} noteId={id} />
                </div>
                <p className="mt-1 text-muted text-xs">
                  {author}, <TimeAgo at={createdAt} />
                </p>
              </li>
            ))}
          </ul>
        ) : null}
      </CardBody>
    </Card>
  );
}
