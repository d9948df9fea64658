import type { LucideIcon } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { cn } from './cn';

type StatTileProps = {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  icon?: LucideIcon;
  /** The URL of the figure's details; makes the whole tile a link. */
  href?: string;
  className?: string;
};

/** A figure with its label. */
export function StatTile({ label, value, hint, icon: Icon, href, className }: StatTileProps) {
  // On phones a hint of one line leaves room for a second one, so that tiles are as high as their placeholders.
  const look = cn('card block px-5 py-4', Boolean(hint) && 'max-sm:min-h-[130px]', className);
  const content = (
    <>
      <span className="flex items-center justify-between gap-2 text-muted text-sm">
        {label}
        {Icon ? <Icon className="size-4 text-subtle" /> : null}
      </span>
      <span className="mt-2 block font-medium text-2xl text-ink tracking-tight">{value}</span>
      {hint ? <span className="mt-1 block text-subtle text-xs">{hint}</span> : null}
    </>
  );
  if (!href) return <div className={look}>{content}</div>;
  return (
    <Link
      prefetch={false}
      href={href}
      className={cn(look, 'transition-colors hover:border-line-strong hover:bg-sunken')}
    >
      {content}
    </Link>
  );
}
