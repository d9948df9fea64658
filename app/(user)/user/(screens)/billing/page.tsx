import type { Metadata } from 'next';
import { screenTexts } from '@/components/shell/screen-texts';
import type { SearchParams } from '@/components/table/url';
import { PageHeader } from '@/components/ui/page-header';
import { hasAccountRight } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { getBillingProfile } from '@/lib/tax/billing-profile';
import { countryCodes } from '@/lib/taxonomy/country-codes';
import { listCountries } from '@/lib/taxonomy/name-country';
import { BillingForm } from './_components/billing-form';
import { DocumentsSection } from './_components/documents-section';
import { VatIdState } from './_components/vat-id-state';

const texts = screenTexts('/user/billing');

export const metadata: Metadata = { title: texts.title };

export default async function BillingPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:documents');
  return (
    <>
      <PageHeader {...texts} />
      {hasAccountRight(actor.accountRole, 'account:billing') ? <ProfileSection actor={actor} /> : null}
      <DocumentsSection reader={actor} searchParams={await searchParams} />
    </>
  );
}

/** Renders what the documents of the account are addressed to. */
async function ProfileSection({ actor }: { actor: Actor }) {
  const profile = await getBillingProfile(actor.accountId);
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      <VatIdState profile={profile} />
      <BillingForm
        profile={profile}
        accountEmail={actor.email}
        countries={listCountries([...countryCodes].join(' '))}
      />
    </div>
  );
}
