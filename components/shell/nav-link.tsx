'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { cn } from '../ui/cn';
import type { NavItem } from './nav';

/** Milliseconds the pointer rests on a link before its page is fetched (spec 000, section 9). */
const prefetchDelayMs = 100;

/** A link of a side menu. Its page is fetched when the pointer rests on it, not for merely being in view. */
export function NavLink({
  href,
  label,
  icon: Icon,
  current,
  className,
}: NavItem & { current: boolean; className?: string }) {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const fetchSoon = () => {
    timer.current = setTimeout(() => router.prefetch(href), prefetchDelayMs);
  };
  const forget = () => clearTimeout(timer.current);
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={current ? 'page' : undefined}
      onMouseEnter={fetchSoon}
      onMouseLeave={forget}
      onFocus={fetchSoon}
      onBlur={forget}
      className={cn(
        'flex h-8 items-center gap-2.5 rounded-md px-2.5 text-muted text-sm transition-colors hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-ink',
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate">{label}</span>
    </Link>
  );
}
