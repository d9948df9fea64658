import { describeProof, formatProofDay, methodNames, ProofBadge } from '@/components/sites/ownership-state';
import { Badge } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import { listOwnershipClaims, type OwnershipClaim } from '@/lib/sites/ownership/claims';

type DomainClaimsProps = { domain: string; ownerId: string };

/** Lists who lists the domain of a site, and who proved it. */
export async function DomainClaims({ domain, ownerId }: DomainClaimsProps) {
  const claims = await listOwnershipClaims(domain);
  return (
    <section aria-label="Who claims this domain">
      <h3 className="mb-2 text-ink text-sm">
        Who claims this domain <span className="font-normal text-muted">{domain}</span>
      </h3>
      <ul className="divide-y divide-line rounded-md border border-line">
        {claims.map((claim) => (
          <Claim key={claim.sellerId} claim={claim} isOwner={claim.sellerId === ownerId} />
        ))}
      </ul>
    </section>
  );
}

function Claim({ claim, isOwner }: { claim: OwnershipClaim; isOwner: boolean }) {
  const { sellerName, sellerEmail, listings, proof } = claim;
  const until = proof?.countsUntil;
  const problems = proof?.problems ?? [];
  return (
    <li className="grid gap-1 px-3 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere min-w-0 font-medium text-ink">{sellerName || sellerEmail}</span>
        {isOwner ? <Badge>This site</Badge> : null}
        {proof?.verifiedAt ? <ProofBadge proof={proof} /> : <Badge tone="grey">Not proved</Badge>}
        <span className="ml-auto text-muted text-xs">{listings === 1 ? '1 site' : `${listings} sites`}</span>
      </div>
      <p className="text-muted text-xs">
        {sellerName ? `${sellerEmail} · ` : ''}
        {proof?.verifiedAt ? `${describeProof(proof)} · ` : ''}
        {proof ? (
          <>
            Last check <TimeAgo at={proof.checkedAt} />
          </>
        ) : (
          'Never checked'
        )}
        {until ? ` · Counts until ${formatProofDay(until)}` : ''}
      </p>
      {problems.length > 0 ? (
        <details className="text-muted text-xs">
          <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-accent-ink">
            {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
          </summary>
          <dl className="mt-1 grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1">
            {problems.map(({ method, message }) => (
              <div key={method} className="contents">
                <dt>{methodNames[method]}</dt>
                <dd className="wrap-anywhere">{message}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </li>
  );
}
