import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { EarningsHeader } from '@/app/(seller)/seller/(screens)/earnings/_components/earnings-header';
import { readIdPageParams, type SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { StatementsTable } from '@/components/wallet/statements-table';
import { requirePage } from '@/lib/auth/page-guard';
import { getBillingProfile } from '@/lib/earnings/self-billing/profile';
import { listStatements } from '@/lib/earnings/self-billing/queries';
import { statementRow } from '@/lib/invoices/self-billed';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { readOperator } from '@/lib/tax/operator';
import { countryCodes } from '@/lib/taxonomy/country-codes';
import { listCountries } from '@/lib/taxonomy/name-country';
import { AgreementForm } from './_components/agreement-form';

export const metadata: Metadata = { title: 'Self-billing' };

const pathname = '/seller/earnings/self-billing';
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

export default async function SelfBillingPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { userId } = await requirePage('seller', 'seller');
  if (!(await isFlagOn('payouts'))) notFound();
  const params = await searchParams;
  const page = readIdPageParams(params);
  const [profile, { siteName }, { operator }, { rows, ...counted }] = await Promise.all([
    getBillingProfile(userId),
    getBranding(),
    readOperator(),
    listStatements(userId, page.request),
  ]);
  return (
    <>
      <EarningsHeader current="selfBilling" />
      <AgreementForm
        operator={operator.name || siteName}
        countries={listCountries([...countryCodes].join(' '))}
        profile={
          profile && {
            legalName: profile.legalName,
            address: profile.address,
            taxId: profile.taxId,
            country: profile.country,
            version: profile.version,
            agreedOn: day.format(profile.agreedAt),
          }
        }
      />
      <section aria-labelledby="statements" className="mt-6">
        <h2 id="statements" className="mb-3 font-medium text-ink">
          Statements
        </h2>
        <StatementsTable
          rows={rows.map(statementRow)}
          pathname={pathname}
          searchParams={params}
          paging={{ ...counted, page }}
          empty={
            <EmptyState icon={<Icon name="file-text" />} title="No statements yet">
              After you agreed, a statement is issued for each month in which money became payable.
            </EmptyState>
          }
        />
      </section>
    </>
  );
}
