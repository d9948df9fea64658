import { ProviderCard } from '@/app/(admin)/dashboard/features/(screens)/e-invoices/_components/provider-card';
import { DeliveryTabs, providersPath } from '@/app/(admin)/dashboard/features/(screens)/e-invoices/_components/tabs';
import { screenTexts } from '@/components/shell/screen-texts';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { listProviders } from '@/lib/invoices/delivery/providers';

const texts = screenTexts(providersPath);

export const metadata = { title: texts.title };

export default async function ProvidersPage() {
  const actor = await requirePage('admin', 'ManageSettings');
  const providers = await listProviders();
  return (
    <>
      <PageHeader {...texts} />
      <DeliveryTabs actor={actor} current="providers" />
      <div className="grid max-w-3xl gap-6">
        {providers.map((provider) => (
          <ProviderCard key={provider.channel} provider={provider} />
        ))}
      </div>
    </>
  );
}
