'use client';

import { useEffect, useState } from 'react';
import { cn } from '@/components/ui/cn';

type CountdownProps = {
  /** ISO 8601. */
  dueAt: string;
  /** The server's time when the page was rendered, so that the first render in the browser equals the server's. */
  now: number;
  className?: string;
};

const second = 1_000;
const minute = 60 * second;

/**
 * Renders the time left until a deadline, with the exact time as title. Of constant width, so that nothing moves when
 * it ticks.
 */
export function Countdown({ dueAt, now: renderedAt, className }: CountdownProps) {
  const due = Date.parse(dueAt);
  const [now, setNow] = useState(renderedAt);
  const [title, setTitle] = useState(`${absolute.format(due)} UTC`);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const time = Date.now();
      setNow(time);
      timer = setTimeout(tick, due - time < 60 * minute ? second : 30 * second);
    };
    tick();
    setTitle(local().format(due));
    return () => clearTimeout(timer);
  }, [due]);
  return (
    <time
      dateTime={dueAt}
      title={title}
      className={cn('inline-block min-w-[9ch] whitespace-nowrap tabular-nums', className)}
    >
      {formatLeft(due - now)}
    </time>
  );
}

/** Of the server's and the first render in the browser. */
const absolute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const local = () => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

const pad = (count: number) => String(count).padStart(2, '0');

/** Formats the time left: "6 d 04 h", "23 h 05 m", "09 m 30 s", or "Overdue". */
export function formatLeft(leftMs: number): string {
  if (leftMs <= 0) return 'Overdue';
  const seconds = Math.floor(leftMs / second);
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600), Math.floor(seconds / 60)];
  if (days > 1) return `${days} d ${pad(hours % 24)} h`;
  if (hours > 0) return `${hours} h ${pad(minutes % 60)} m`;
  return `${pad(minutes)} m ${pad(seconds % 60)} s`;
}
