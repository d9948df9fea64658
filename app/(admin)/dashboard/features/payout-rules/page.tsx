import type { Metadata } from 'next';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { countryCodes } from '@/lib/payouts/methods/contract';
import { readPayoutRules } from '@/lib/payouts/rules';
import { description, title } from './_components/page-texts';
import { PayerCard, PayoutRulesForm } from './_components/payout-rules-form';

export const metadata: Metadata = { title };

export default async function PayoutRulesPage() {
  await requirePage('admin', 'ManagePayouts');
  const { rules, version } = await readPayoutRules();
  return (
    <>
      <PageHeader title={title} description={description} />
      <div className="grid max-w-3xl gap-6">
        <PayoutRulesForm key={version} rules={rules} version={version} />
        <PayerCard rules={rules} version={version} countryCodes={[...countryCodes].join(' ')} />
      </div>
    </>
  );
}
