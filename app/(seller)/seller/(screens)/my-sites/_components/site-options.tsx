import Link from 'next/link';
import { RecordNotFound } from '@/components/table/record-dialog';
import { cn } from '@/components/ui/cn';
import { optionKinds } from '@/db/schema/site-options';
import { nullIfNotFound } from '@/lib/errors';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { getOptionLimits, getOwnOptions } from '@/lib/sites/options/save';
import { findSellerSite } from '@/lib/sites/seller-queries';
import { SiteOptionsDialog } from './site-options-dialog';

type OptionsDialogProps = {
  /** The URL parameter as received; '' if absent. */
  id: string;
  ownerId: string;
  closeHref: string;
};

/** Renders the dialog of the options of the site in the URL. */
export async function OptionsDialog({ id, ownerId, closeHref }: OptionsDialogProps) {
  if (id === '') return null;
  const params = siteIdParams.safeParse({ id });
  const [site, own] = params.success
    ? await Promise.all([
        findSellerSite(ownerId, params.data.id),
        nullIfNotFound(getOwnOptions(ownerId, params.data.id)),
      ])
    : [];
  if (!site || !own) return <RecordNotFound key={id} noun="site" closeHref={closeHref} />;
  const { rules, guaranteeDays } = await getOptionLimits();
  const { maxGuarantees, minWords, changePercent } = rules;
  const kinds = optionKinds.filter((kind) => rules.kinds[kind].isOffered);
  return (
    <SiteOptionsDialog
      key={id}
      site={{ id: site.id, name: site.name }}
      limits={{ kinds, maxGuarantees, minWords, changePercent, guaranteeDays }}
      {...{ own, closeHref }}
    />
  );
}

type OptionsLinkProps = { site: { name: string }; href: string; className?: string };

/** Renders the link that opens the options of a site. */
export function OptionsLink({ site, href, className }: OptionsLinkProps) {
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      aria-label={`Options of ${site.name}`}
      className={cn('block w-fit rounded-sm text-accent-ink text-xs hover:underline', className)}
    >
      Options
    </Link>
  );
}
