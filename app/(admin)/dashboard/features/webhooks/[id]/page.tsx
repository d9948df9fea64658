import type { SearchParams } from '@/components/table/url';
import { EndpointPage } from '@/components/webhooks/endpoint-page';
import { requirePage } from '@/lib/auth/page-guard';

export const metadata = { title: 'Webhook endpoint' };

type PageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export default async function AdminWebhook({ params, searchParams }: PageProps) {
  const actor = await requirePage('admin', 'ManageSettings');
  const { id } = await params;
  return (
    <EndpointPage
      actor={actor}
      scope="installation"
      pathname="/dashboard/features/webhooks"
      id={id}
      searchParams={await searchParams}
    />
  );
}
