import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AnswerRequest, DeclineRequest } from '@/app/(user)/user/requests/_components/answer-request';
import { ClientLink } from '@/app/(user)/user/requests/_components/client-link';
import { ClientRequestScreen } from '@/app/(user)/user/requests/_components/client-screens';
import { RequestFacts, RequestStateBadge } from '@/app/(user)/user/requests/_components/request-facts';
import { RequestLines } from '@/app/(user)/user/requests/_components/request-lines';
import { requestsPath } from '@/components/shell/user-nav';
import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { hasAccountRight } from '@/lib/access/account-roles';
import { requirePage } from '@/lib/auth/page-guard';
import { nullIfNotFound } from '@/lib/errors';
import { requestIdParams } from '@/lib/orders/requests/contract';
import { getRequest } from '@/lib/orders/requests/queries';

export const metadata: Metadata = { title: 'Request' };

/** Renders a request: to an approver with the answer, to others as it stands, and to a client as the link shows it. */
export default async function RequestPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requirePage('user', 'account:requests');
  const parsed = requestIdParams.safeParse(await params);
  if (!parsed.success) notFound();
  const { id } = parsed.data;
  if (actor.accountRole === 'client') return <ClientRequestScreen actor={actor} id={id} />;
  const request = await nullIfNotFound(getRequest(actor, id));
  if (!request) notFound();
  const { projectDomain, lines, link, state, mayAnswer, isAnsweredByClient } = request;
  const isOwn = request.requestedBy.id === actor.userId;
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2.5">
            Request for {projectDomain} <RequestStateBadge request={request} />
          </span>
        }
        actions={<ButtonLink href={requestsPath}>All requests</ButtonLink>}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Card aria-label="Order">
          <CardHeader title="Order" />
          <CardBody className="grid gap-4">
            {state === 'open' && isAnsweredByClient ? (
              <Alert tone="info">
                The client has answered. The order could not be placed then: check it, and confirm or decline it.
              </Alert>
            ) : null}
            {mayAnswer ? (
              <AnswerRequest request={request} />
            ) : (
              <RequestLines lines={lines} hasOrders={hasAccountRight(actor.accountRole, 'account:orders')} />
            )}
            {state === 'open' && isOwn && !mayAnswer ? (
              <div className="border-line border-t pt-4">
                <DeclineRequest id={id} isOwn />
              </div>
            ) : null}
          </CardBody>
        </Card>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Card aria-label="Facts">
            <CardHeader title="Facts" />
            <CardBody>
              <RequestFacts request={request} />
            </CardBody>
          </Card>
          {mayAnswer || link ? (
            <ClientLink requestId={id} link={link} isSendable={mayAnswer && !isAnsweredByClient} />
          ) : null}
        </div>
      </div>
    </>
  );
}
