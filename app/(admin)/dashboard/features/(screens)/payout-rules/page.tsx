import { screenTexts } from '@/components/shell/screen-texts';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getPayoutRules } from '@/lib/payouts/rules';
import { countryCodes } from '@/lib/taxonomy/country-codes';
import { PayerCard, PayoutRulesForm } from './_components/payout-rules-form';

const texts = screenTexts('/dashboard/features/payout-rules');

export const metadata = { title: texts.title };

export default async function PayoutRulesPage() {
  await requirePage('admin', 'ManagePayouts');
  const { rules, version } = await getPayoutRules();
  return (
    <>
      <PageHeader {...texts} />
      <div className="grid max-w-3xl gap-6">
        <PayoutRulesForm rules={rules} version={version} />
        <PayerCard rules={rules} version={version} countryCodes={[...countryCodes].join(' ')} />
      </div>
    </>
  );
}
