import { MailButton, type MailContext, MailFrame, MailLines, MailText } from './frame';

type RejectedSitesProps = MailContext & {
  heading: string;
  /** The reason; empty for a rejection without one. */
  reason: string;
  /** What the seller should change; may be empty. */
  advice: string;
  /** What staff wrote; may be empty. */
  note: string;
  /** Name and URL of each site, limited to the first ones. */
  sites: readonly string[];
  /** The number of further sites. */
  more: number;
  url: string;
};

/** Sent to a seller whose sites were rejected, with the reason and what to change. */
export function RejectedSitesMail({ heading, reason, advice, note, sites, more, url, ...context }: RejectedSitesProps) {
  return (
    <MailFrame
      {...context}
      preview={reason || advice || note}
      heading={heading}
      choicesUrl={`${context.appUrl}/seller/security#mails`}
    >
      {sites.map((site) => (
        <MailText key={site}>{site}</MailText>
      ))}
      {more > 0 ? <MailText>{more === 1 ? 'One more site.' : `${more} more sites.`}</MailText> : null}
      {reason ? <MailText>{`Reason: ${reason}.`}</MailText> : null}
      {note ? (
        <MailText>
          <MailLines text={note} />
        </MailText>
      ) : null}
      {advice ? <MailText>{advice}</MailText> : null}
      <MailText>When you edit a rejected site and save it, we review it again.</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Open My Sites
      </MailButton>
    </MailFrame>
  );
}
