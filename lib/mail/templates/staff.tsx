import type { ReactNode } from 'react';
import { type MailContext, MailFrame, MailText } from './frame';

type ApprovalRequestedProps = MailContext & {
  summary: string;
  /** The requester's email address. */
  requester: string;
  url: string;
};

/** Renders the mail to all users who can approve a change that needs a second person. */
export function ApprovalRequestedMail({ summary, requester, url, ...context }: ApprovalRequestedProps) {
  return (
    <MailFrame
      {...context}
      preview={summary}
      heading="A change is waiting for your approval"
      button={{ href: url, label: 'Review the request' }}
    >
      <MailText>{`${requester} requested: ${summary}`}</MailText>
      <MailText>It takes effect when you approve it. Reject it if you don’t know why it was requested.</MailText>
    </MailFrame>
  );
}

type NewOrderProps = MailContext & {
  heading: string;
  /** The buyer, the project and the total. */
  summary: string;
  /** One order per line, limited to the first ones. */
  lines: readonly { id: number; text: string }[];
  /** The number of further orders. */
  more: number;
  /** The URL of the Orders screen. */
  url: string;
};

/** Renders the mail sent to the staff with ManageOrders, once per purchase. */
export function NewOrderMail({ lines, more, ...mail }: NewOrderProps) {
  return (
    <StaffMail {...mail} linkLabel="Open orders">
      {lines.map(({ id, text }) => (
        <MailText key={id}>{text}</MailText>
      ))}
      {more > 0 ? <MailText>{more === 1 ? 'One more order.' : `${more} more orders.`}</MailText> : null}
    </StaffMail>
  );
}

type PaymentDisputeProps = MailContext & {
  heading: string;
  /** The owner of the top-up, and the reason. */
  summary: string;
  /** The deadline for evidence. */
  deadline: string;
  provider: string;
  /** The dispute in the provider's dashboard. */
  providerUrl: string | null;
  /** The list of disputes in the admin area. */
  url: string;
};

/** Renders the mail sent to the staff with ManagePayments when a dispute opens. */
export function PaymentDisputeMail({ deadline, provider, providerUrl, ...mail }: PaymentDisputeProps) {
  return (
    <StaffMail {...mail} linkLabel="Open disputes">
      <MailText>{deadline}</MailText>
      {providerUrl ? (
        <MailText>
          Respond at {provider}: {providerUrl}
        </MailText>
      ) : null}
    </StaffMail>
  );
}

type StaffMailProps = MailContext & {
  heading: string;
  summary: string;
  url: string;
  linkLabel: string;
  children: ReactNode;
};

/** A mail that staff can turn off. */
function StaffMail({ heading, summary, url, linkLabel, children, ...context }: StaffMailProps) {
  return (
    <MailFrame
      {...context}
      preview={summary}
      heading={heading}
      choicesUrl={`${context.appUrl}/dashboard/security#mails`}
      button={{ href: url, label: linkLabel }}
    >
      <MailText>{summary}</MailText>
      {children}
    </MailFrame>
  );
}

/** Renders the mail to an admin who tests the delivery of mails. */
export function TestMail(context: MailContext) {
  return (
    <MailFrame {...context} preview="Your emails are working." heading="Your emails are working">
      <MailText>This is a test from App Integrations. No action is needed.</MailText>
    </MailFrame>
  );
}
