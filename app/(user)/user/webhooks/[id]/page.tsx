import type { Metadata } from 'next';
import type { SearchParams } from '@/components/table/url';
import { EndpointPage } from '@/components/webhooks/endpoint-page';
import { requirePage } from '@/lib/auth/page-guard';

export const metadata: Metadata = { title: 'Webhook endpoint' };

type PageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export default async function UserWebhook({ params, searchParams }: PageProps) {
  const actor = await requirePage('user', 'account:programs');
  const { id } = await params;
  return <EndpointPage actor={actor} scope="own" pathname="/user/webhooks" id={id} searchParams={await searchParams} />;
}
