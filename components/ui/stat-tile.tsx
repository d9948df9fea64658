import Link from 'next/link';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { Icon, type IconName } from './icon';

const tiles = 'grid grid-cols-2 gap-3 max-sm:[&>*]:px-4 max-sm:[&_.tracking-tight]:text-lg sm:gap-4';

/** Four figures. On phones they are two to a row, in a smaller font size that fits long amounts. */
export const tileGrid = `${tiles} xl:grid-cols-4`;

/** Two figures in a row. */
export const twoTileGrid = tiles;

/** Three figures in a row; on phones, the third one is as wide as the two above it. */
export const threeTileGrid = `${tiles} sm:grid-cols-3 max-sm:[&>:nth-child(3)]:col-span-2`;

type StatTileProps = {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  icon?: IconName;
  /** The URL of the figure's details; makes the whole tile a link. */
  href?: string;
  className?: string;
};

/** Renders a figure with its label. */
export function StatTile({ label, value, hint, icon, href, className }: StatTileProps) {
  // On phones a hint of one line leaves room for a second one, so that tiles are as high as their placeholders.
  const look = cn('card block px-5 py-4', Boolean(hint) && 'max-sm:min-h-[130px]', className);
  const content = (
    <>
      <span className="flex items-center justify-between gap-2 text-muted text-sm">
        {label}
        {icon ? <Icon name={icon} className="text-subtle" /> : null}
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
