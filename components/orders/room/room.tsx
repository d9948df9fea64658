'use client';

import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { type Tone, toneSolid } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';

import type { RoomSide } from '@/lib/orders/messages/room';
import { Composer } from './composer';
import { Countdown } from './countdown';
import type { NextStep } from './next-step';
import { Stream } from './stream';
import { useRoom } from './use-room';

type RoomProps = Parameters<typeof useRoom>[0] & {
  nextStep: NextStep;
  /** The server's time, for the clock. */
  now: number;
  /** What the user can do now. */
  actions?: ReactNode;
};

/**
 * Renders the room of an order: the next step with its clock on top, the steps and messages in one stream, and the
 * field for a new message. New entries appear without a reload.
 */
export function Room({ nextStep, now, actions, ...options }: RoomProps) {
  const { side, path } = options;
  const { room, dividerId, announcement, connection, older, loadOlder, addOwn } = useRoom(options);
  return (
    <Card aria-label="Messages" className="flex flex-col overflow-clip">
      <NextStepBar step={nextStep} now={now}>
        {actions}
      </NextStepBar>
      {connection === 'lost' ? (
        <Alert tone="warning" className="rounded-none border-x-0">
          The connection was lost. New messages appear once it is back.
        </Alert>
      ) : null}
      {connection === 'gone' ? (
        <Alert tone="error" className="rounded-none border-x-0">
          This order is no longer available. Go back to the list.
        </Alert>
      ) : null}
      <Stream room={room} side={side} dividerId={dividerId} older={older} onOlder={loadOlder} />
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {room.closed === null ? (
        <Composer path={path} placeholder={placeholders[side]} onSent={addOwn} />
      ) : (
        <p className="border-line border-t px-4 py-3 text-muted text-sm sm:px-5">{room.closed}</p>
      )}
    </Card>
  );
}

const placeholders: Record<RoomSide, string> = {
  buyer: 'Write a message…',
  seller: 'Write to the buyer and our team…',
  staff: 'Write to everyone in this room…',
};

/** Renders the next step, its clock and the actions; stays on top while the page scrolls. */
function NextStepBar({ step, now, children }: { step: NextStep; now: number; children: ReactNode }) {
  const { title, text, dueAt, tone } = step;
  return (
    <div className="sticky top-[calc(var(--banner)+var(--top-bar))] z-10 grid gap-3 border-line border-b bg-surface px-4 py-3 sm:px-5 lg:static">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 text-ink text-sm">
            <span aria-hidden="true" className={cn('size-2 shrink-0 rounded-full', toneSolid[tone satisfies Tone])} />
            {title}
          </h2>
          <p className="mt-0.5 text-pretty text-muted text-sm">{text}</p>
        </div>
        {dueAt ? (
          <p className="shrink-0 text-right">
            <span className="block text-muted text-xs">Time left</span>
            <Countdown key={dueAt} dueAt={dueAt} now={now} className="font-medium text-ink text-sm" />
          </p>
        ) : null}
      </div>
      {children ? <div className="flex flex-wrap gap-2 empty:hidden">{children}</div> : null}
    </div>
  );
}
