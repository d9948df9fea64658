import { RecordDialog } from '@/components/table/record-dialog';
import { DialogBody } from '@/components/ui/dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { failedMailDays, listFailedMails } from '@/lib/dashboard/attention';

/** The mails that could not be sent lately: to whom, what about, and why. */
export async function FailedMails() {
  const failed = await listFailedMails();
  return (
    <RecordDialog
      key="mails"
      title="Mails not sent"
      description={`Given up in the last ${failedMailDays} days; no further attempt is made.`}
      closeHref="/dashboard"
    >
      <DialogBody>
        {failed.length === 0 ? (
          <p className="text-muted">Every mail was sent.</p>
        ) : (
          <ul className="divide-y divide-line">
            {failed.map(({ id, recipient, subject, error, failedAt, attempts }) => (
              <li key={id} className="grid gap-0.5 py-3 text-sm first:pt-0 last:pb-0">
                <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span className="wrap-anywhere font-medium text-ink">{subject}</span>
                  {failedAt ? <TimeAgo at={failedAt} className="text-muted text-xs" /> : null}
                </span>
                <span className="wrap-anywhere text-muted">
                  To {recipient}, {attempts === 1 ? 'one attempt' : `${attempts} attempts`}
                </span>
                {error ? <span className="wrap-anywhere text-red-ink">{error}</span> : null}
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
    </RecordDialog>
  );
}
