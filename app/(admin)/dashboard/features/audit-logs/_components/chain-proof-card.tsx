import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ChainProof } from '@/lib/audit/prove-chain';
import { VerifyButtons } from './verify-buttons';

/** Displays the result of the last verification of the log, with buttons to run another. */
export function ChainProofCard({ last, progress }: { last: ChainProof | null; progress: number | null }) {
  return (
    <Card className="mt-6 max-w-xl" aria-labelledby="verification-heading">
      <CardHeader
        title={<span id="verification-heading">Verification</span>}
        description={
          last ? (
            <>
              Last run <TimeAgo at={last.ranAt} />
              {last.from === 0
                ? ', over all entries'
                : `, over the entries after seal ${last.from.toLocaleString('en-US')}`}
              .
            </>
          ) : (
            'The audit log hasn’t been verified yet.'
          )
        }
      />
      <CardBody className="grid gap-4">
        {last && !last.isSound ? (
          <Alert tone="error" title="The audit log has faults.">
            <ul className="grid gap-1">
              {last.faults.slice(0, 5).map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
            Run <code>npm run audit:verify -- --all</code> on the server for the whole report.
          </Alert>
        ) : null}
        {last ? (
          <p className="text-sm">
            {last.wholeAt ? (
              <>
                All entries were last verified without a fault <TimeAgo at={last.wholeAt} />.
              </>
            ) : (
              'All entries have never been verified without a fault.'
            )}
          </p>
        ) : null}
        <VerifyButtons progress={progress} />
      </CardBody>
    </Card>
  );
}
