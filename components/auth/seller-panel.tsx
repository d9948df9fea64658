import { BadgeCheck, FileUp, type LucideIcon, Tag } from 'lucide-react';
import { PanelHeadline } from './panel-headline';

const points: { title: string; text: string; icon: LucideIcon }[] = [
  {
    title: 'By form or by CSV',
    text: 'Add one site at a time, or upload a list. Rows that cannot be used are named, with the reason.',
    icon: FileUp,
  },
  {
    title: 'Your price',
    text: 'You say what a placement costs, and how long you need for it.',
    icon: Tag,
  },
  {
    title: 'Reviewed, then listed',
    text: 'New and edited sites are checked first. You see which are approved, pending or rejected.',
    icon: BadgeCheck,
  },
];

/** What the Seller Lounge is for, beside its sign-in. */
export function SellerPanel() {
  return (
    <div className="grid gap-10">
      <PanelHeadline title="Sell placements on your sites.">
        Buyers choose by metrics and price. Put your inventory in front of them.
      </PanelHeadline>
      <ul className="grid gap-7">
        {points.map(({ title, text, icon: Icon }) => (
          <li key={title} className="flex gap-4">
            <span className="grid size-9 shrink-0 place-items-center rounded-lg border border-line bg-surface">
              <Icon className="size-4 text-accent-ink" />
            </span>
            <div className="min-w-0">
              <p className="font-medium text-ink">{title}</p>
              <p className="mt-1 max-w-sm text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
