'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { apiFetch } from '@/lib/browser/api-client';
import { deleteFailure } from '@/lib/browser/http-failure';
import type { TokenOverview } from '@/lib/developers/tokens/overview';
import type { TokenView } from '@/lib/developers/tokens/schemas';
import { formatMoney, walletCurrency } from '@/lib/money';
import { CreateTokenDialog } from './create-token-dialog';

/** The user's API tokens, each with a Revoke button, and the dialog that creates one. */
export function ApiTokensCard({ tokens, scopes, isOn }: TokenOverview) {
  return (
    <Card aria-labelledby="api-tokens">
      <CardHeader
        title={
          <span id="api-tokens" className="scroll-mt-20">
            API tokens
          </span>
        }
        description={
          <>
            Keys for your own programs. A token does only what its scopes allow, and never more than you can.{' '}
            <Link href="/developers" className="text-accent-ink underline">
              API guide
            </Link>
          </>
        }
        actions={isOn ? <CreateTokenDialog scopes={scopes} /> : null}
      />
      {isOn ? null : (
        <CardBody>
          <Alert tone="warning" title="API tokens are turned off">
            Requests with a token are refused until an admin turns them on again. You can still revoke tokens.
          </Alert>
        </CardBody>
      )}
      {tokens.length > 0 ? (
        <ul aria-label="API tokens" className="divide-y divide-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      ) : (
        <CardBody>
          <p className="text-muted text-sm">You have no API tokens.</p>
        </CardBody>
      )}
    </Card>
  );
}

function TokenRow({ token }: { token: TokenView }) {
  const { name, scopes, lastFour, expiresAt, lastUsedAt, lastUsedIp, allowedIps, dailyLimitCents } = token;
  const isExpired = expiresAt !== null && new Date(expiresAt) <= new Date();
  return (
    <li className="flex items-start gap-3 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-ink text-sm">
          <span className="wrap-anywhere line-clamp-2">{name}</span>
          <code className="text-muted text-xs">lm_…{lastFour}</code>
          {isExpired ? <Badge tone="red">Expired</Badge> : null}
        </p>
        <p className="wrap-anywhere mt-0.5 text-muted text-xs">{scopes.join(', ')}</p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs">
          <span>
            {lastUsedAt ? (
              <>
                Last used <TimeAgo at={lastUsedAt} />
                {lastUsedIp ? ` from ${lastUsedIp}` : ''}
              </>
            ) : (
              'Never used'
            )}
          </span>
          <span>
            {expiresAt ? (
              <>
                {isExpired ? 'Expired' : 'Expires'} <TimeAgo at={expiresAt} />
              </>
            ) : (
              'No end date'
            )}
          </span>
          {dailyLimitCents === null ? null : (
            <span>
              {formatMoney(token.spentTodayCents, walletCurrency)} of {formatMoney(dailyLimitCents, walletCurrency)}{' '}
              spent today
            </span>
          )}
          {allowedIps.length > 0 ? <span className="wrap-anywhere">From {allowedIps.join(', ')}</span> : null}
        </p>
      </div>
      <RevokeToken id={token.id} name={name} />
    </li>
  );
}

function RevokeToken({ id, name }: { id: string; name: string }) {
  const router = useRouter();
  const revoke = async () => {
    await apiFetch(`/api/tokens/${id}`, { method: 'DELETE' }).catch(deleteFailure);
    toast.success(`${name} revoked.`);
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" aria-label={`Revoke token: ${name}`}>
          Revoke
        </Button>
      }
      title={`Revoke the token “${name}”?`}
      description="Programs that use it are refused from their next request. This cannot be undone."
      confirmLabel="Revoke token"
      onConfirm={revoke}
    />
  );
}
