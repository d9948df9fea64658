import { type MailContext, MailFrame, MailLines, MailText } from './frame';

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

/** Renders the mail to a seller whose sites were rejected, with the reason and what to change. */
export function RejectedSitesMail({ heading, reason, advice, note, sites, more, url, ...context }: RejectedSitesProps) {
  return (
    <MailFrame
      {...context}
      preview={reason || advice || note}
      heading={heading}
      choicesUrl={`${context.appUrl}/seller/security#mails`}
      button={{ href: url, label: 'Open My Sites' }}
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
    </MailFrame>
  );
}

type LostOwnershipProps = MailContext & {
  heading: string;
  domain: string;
  /** What each method found. */
  problems: readonly string[];
  url: string;
};

/** Tells a seller that two checks a week apart found no proof of a domain, and how to restore it. */
export function LostOwnershipMail({ heading, domain, problems, url, ...context }: LostOwnershipProps) {
  return (
    <MailFrame
      {...context}
      preview={`Two checks a week apart found no proof of ${domain}.`}
      heading={heading}
      choicesUrl={`${context.appUrl}/seller/security#mails`}
      button={{ href: url, label: 'Open My Sites' }}
    >
      <MailText>
        {`Two checks a week apart found no proof of ${domain}, so your sites of this domain are no longer shown as verified. This is what the last check found:`}
      </MailText>
      {problems.map((problem) => (
        <MailText key={problem}>{problem}</MailText>
      ))}
      <MailText>Restore the proof or add another one, and choose Check now in My Sites.</MailText>
    </MailFrame>
  );
}

type PayoutMailProps = MailContext & { heading: string; text: string; url: string };

/** Tells a seller that a payout was paid, failed or was returned. */
export function PayoutMail({ heading, text, url, ...context }: PayoutMailProps) {
  return (
    <MailFrame
      {...context}
      preview={text}
      heading={heading}
      choicesUrl={`${context.appUrl}/seller/security#mails`}
      button={{ href: url, label: 'View your payouts' }}
    >
      <MailText>{text}</MailText>
    </MailFrame>
  );
}

type StatementMailProps = MailContext & { name: string; month: string; amount: string; url: string };

/** Tells a seller that a self-billed statement was issued. */
export function StatementMail({ name, month, amount, url, ...context }: StatementMailProps) {
  const text = `Statement ${name} for ${month} bills ${amount}. You can download it as a PDF.`;
  return (
    <MailFrame
      {...context}
      preview={text}
      heading="Your self-billed statement"
      choicesUrl={`${context.appUrl}/seller/security#mails`}
      button={{ href: url, label: 'View your statements' }}
    >
      <MailText>{text}</MailText>
    </MailFrame>
  );
}
