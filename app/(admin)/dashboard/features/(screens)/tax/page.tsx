import { screenTexts } from '@/components/shell/screen-texts';
import { oneParam, type SearchParams } from '@/components/table/url';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { requirePage } from '@/lib/auth/page-guard';
import { getOperator } from '@/lib/tax/queries';
import { countryCodes } from '@/lib/taxonomy/country-codes';
import { listCountries } from '@/lib/taxonomy/name-country';
import { BankAccounts } from './_components/bank-accounts';
import { IdentityForm } from './_components/identity-form';
import { OwnRates, RatesInForce } from './_components/rates';
import { TaxRules } from './_components/tax-rules';
import { TaxSwitch } from './_components/tax-switch';
import { VatIds } from './_components/vat-ids';

const pathname = '/dashboard/features/tax';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const tabs = { identity: 'Identity', tax: 'Tax', accounts: 'Bank accounts' };
const isTab = (value: string): value is keyof typeof tabs => Object.hasOwn(tabs, value);

export default async function TaxPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageSettings');
  const asked = oneParam(await searchParams, 'tab') ?? '';
  const tab = isTab(asked) ? asked : 'identity';
  const operator = await getOperator();
  const countries = listCountries([...countryCodes].join(' '));
  return (
    <>
      <PageHeader {...texts} />
      <Tabs
        label="Tax and identity"
        tabs={Object.entries(tabs).map(([name, label]) => ({
          href: `${pathname}?tab=${name}`,
          label,
          current: name === tab,
        }))}
      />
      <div className="mt-6 grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
        {tab === 'identity' ? (
          <>
            <IdentityForm operator={operator} countries={countries} />
            <VatIds operator={operator} countries={countries} />
          </>
        ) : null}
        {tab === 'tax' ? (
          <>
            <TaxSwitch operator={operator} />
            <TaxRules operator={operator} />
            <OwnRates operator={operator} countries={countries} />
            <RatesInForce rates={operator.ratesInForce} />
          </>
        ) : null}
        {tab === 'accounts' ? <BankAccounts operator={operator} /> : null}
      </div>
    </>
  );
}
