import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import type { AdminSiteView } from '@/lib/sites/views';

type StaleNoticeProps = {
  base: AdminSiteView;
  theirs: AdminSiteView;
  onUseTheirs: () => void;
  onKeepMine: () => void;
};

const names: Partial<Record<keyof AdminSiteView, string>> = {
  name: 'Name',
  url: 'URL',
  status: 'Status',
  userName: 'Owner',
  niche: 'Niche',
  postType: 'Post type',
  country: 'Country',
  language: 'Language',
  followType: 'Follow type',
  dr: 'DR',
  da: 'DA',
  as: 'Authority score',
  spam: 'Spam score',
  traffic: 'Traffic',
  keywords: 'Keywords',
  ref_domains: 'Referring domains',
  words: 'Words',
  tat: 'Turnaround',
  price: 'Seller price',
  adminPrice: 'Admin price',
  publicPrice: 'Public price',
  publicCurrency: 'Currency',
};
const text = (value: string | number | boolean | null) => (value === null || value === '' ? 'empty' : String(value));

/** Somebody else changed the site while this one was edited: shows what, and lets the person choose. */
export function StaleNotice({ base, theirs, onUseTheirs, onKeepMine }: StaleNoticeProps) {
  const before = new Map(Object.entries(base));
  const changes = Object.entries(names).flatMap(([key, name]) => {
    const now = new Map(Object.entries(theirs)).get(key) ?? null;
    const was = before.get(key) ?? null;
    return now === was ? [] : [{ name, was, now }];
  });
  return (
    <Alert tone="warning" title="What somebody else changed in the meantime">
      <p>Nothing was saved, and nothing you typed is lost. Where you typed nothing, theirs stays.</p>
      <dl className="mt-2 grid gap-1">
        {changes.map(({ name, was, now }) => (
          <div key={name}>
            <dt className="inline font-medium">{name}: </dt>
            <dd className="inline break-words">
              {text(was)} → {text(now)}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={onKeepMine}>
          Keep mine to save
        </Button>
        <Button size="sm" onClick={onUseTheirs}>
          Use theirs
        </Button>
      </div>
    </Alert>
  );
}
