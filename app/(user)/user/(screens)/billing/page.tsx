import type { Metadata } from 'next';
import { screenTexts } from '@/components/shell/screen-texts';
import type { SearchParams } from '@/components/table/url';
import { PageHeader } from '@/components/ui/page-header';
import { db } from '@/db/client';
import { hasAccountRight } from '@/lib/access/account-roles';
import { getAccountContact } from '@/lib/access/accounts';
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
  const hasProfile = hasAccountRight(actor.accountRole, 'account:billing');
  return (
    <>
      <PageHeader {...texts} {...(!hasProfile && { description: 'Invoices, credit notes and receipts.' })} />
      {hasProfile ? <ProfileSection actor={actor} /> : null}
      <DocumentsSection reader={actor} searchParams={await searchParams} />
    </>
  );
}

/** Renders what the documents of the account are addressed to. */
async function ProfileSection({ actor }: { actor: Actor }) {
  const { accountId, userId, email } = actor;
  const [profile, contact] = await Promise.all([
    getBillingProfile(accountId),
    accountId === userId ? { email } : getAccountContact(db(), accountId),
  ]);
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      <VatIdState profile={profile} />
      <BillingForm
        profile={profile}
        accountEmail={contact.email}
        countries={listCountries([...countryCodes].join(' '))}
      />
    </div>
  );
}
