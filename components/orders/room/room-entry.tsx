import { FileText } from 'lucide-react';
import { ContactDataBadge } from '@/components/orders/contact-data-badge';
import { cn } from '@/components/ui/cn';
import { formatBytes } from '@/components/ui/format-bytes';
import { TimeAgo } from '@/components/ui/time-ago';
import type { EventView, MessageView, RoomEntry } from '@/lib/orders/messages/responses';

/** An entry of a room: a step of the order as a line, or a message. */
export function RoomEntryItem({ entry }: { entry: RoomEntry }) {
  return entry.type === 'event' ? <EventLine event={entry} /> : <Message message={entry} />;
}

function EventLine({ event: { texts, note, author, isOwn, by, at, hasContactData } }: { event: EventView }) {
  return (
    <div className="mx-auto max-w-prose px-2 text-center text-muted text-xs">
      <p className="wrap-anywhere text-pretty">
        {texts.join(' ')}{' '}
        <span className="whitespace-nowrap text-subtle">
          {author === '' || by === 'system' || isOwn ? '' : `${author} · `}
          <TimeAgo at={at} />
        </span>
      </p>
      {note ? (
        <div className="mt-1.5 inline-block rounded-md bg-sunken px-2.5 py-1.5 text-left text-muted text-sm">
          <MessageText text={note} />
        </div>
      ) : null}
      {hasContactData ? (
        <p className="mt-1">
          <ContactDataBadge />
        </p>
      ) : null}
    </div>
  );
}

function Message({ message: { author, isOwn, by, text, files, at, hasContactData } }: { message: MessageView }) {
  return (
    <article className={cn('flex min-w-0 flex-col gap-1', isOwn ? 'items-end' : 'items-start')}>
      <p className="flex flex-wrap items-center gap-x-1.5 px-1 text-muted text-xs">
        <span className={cn('font-medium', by === 'staff' && !isOwn ? 'text-accent-ink' : 'text-ink')}>{author}</span>
        <span aria-hidden="true">·</span>
        <TimeAgo at={at} />
        {hasContactData ? <ContactDataBadge /> : null}
      </p>
      <div
        className={cn(
          'grid max-w-[min(85%,42rem)] grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border px-3 py-2 text-ink text-sm',
          isOwn ? 'border-accent-line bg-accent-soft' : 'border-line bg-surface',
        )}
      >
        {text ? <MessageText text={text} /> : null}
        {files.length > 0 ? (
          <ul className="grid gap-1">
            {files.map(({ id, fileName, sizeBytes, path }) => (
              <li key={id} className="min-w-0">
                <a
                  href={path}
                  download=""
                  className="flex min-h-6 min-w-0 items-center gap-1.5 text-accent-ink hover:underline"
                >
                  <FileText className="size-4" />
                  <span className="truncate">{fileName}</span>
                  <span className="shrink-0 text-muted text-xs">{formatBytes(sizeBytes)}</span>
                </a>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </article>
  );
}

/** An address, without the punctuation that ends a sentence. */
const address = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}’”])/i;

/** The text with its line breaks, and with links for addresses. */
function MessageText({ text }: { text: string }) {
  // `split` with a group returns the addresses at the odd positions.
  const parts = text.split(address).map((part, position) => ({ part, position }));
  return (
    <p className="whitespace-pre-wrap wrap-anywhere">
      {parts.map(({ part, position }) =>
        position % 2 === 1 ? (
          <a
            key={position}
            href={part}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent-ink underline"
          >
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
