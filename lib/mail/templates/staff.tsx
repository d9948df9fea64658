import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type ApprovalRequestedProps = MailContext & {
  summary: string;
  /** Their e-mail address. */
  requester: string;
  url: string;
};

/** Sent to everyone who can approve a change that needs a second person. */
export function ApprovalRequestedMail({ summary, requester, url, ...context }: ApprovalRequestedProps) {
  return (
    <MailFrame {...context} preview={summary} heading="A change waits for your approval">
      <MailText>{`${requester} requested: ${summary}`}</MailText>
      <MailText>It takes effect when you approve it. Reject it if you do not know why it was requested.</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Review the request
      </MailButton>
    </MailFrame>
  );
}

type NewOrderProps = MailContext & {
  heading: string;
  /** Who ordered, for which project, and for how much in all. */
  summary: string;
  /** An order a line; the first ones of many. */
  lines: readonly { id: number; text: string }[];
  /** How many more there are. */
  more: number;
  /** Where the order desk shows them. */
  url: string;
};

/** To the staff who work on orders, once for everything that was ordered in one go. */
export function NewOrderMail({ heading, summary, lines, more, url, ...context }: NewOrderProps) {
  return (
    <MailFrame
      {...context}
      preview={summary}
      heading={heading}
      choicesUrl={`${context.appUrl}/dashboard/security#mails`}
    >
      <MailText>{summary}</MailText>
      {lines.map(({ id, text }) => (
        <MailText key={id}>{text}</MailText>
      ))}
      {more > 0 ? <MailText>{more === 1 ? 'One more order.' : `${more} more orders.`}</MailText> : null}
      <MailButton href={url} color={context.branding.primaryColor}>
        Open the order desk
      </MailButton>
    </MailFrame>
  );
}

type PaymentDisputeProps = MailContext & {
  heading: string;
  /** Whose top-up it is, and the reason. */
  summary: string;
  /** Until when evidence counts. */
  deadline: string;
  provider: string;
  /** The dispute in the provider's dashboard. */
  providerUrl: string | null;
  /** The list of disputes here. */
  url: string;
};

/** To the staff with ManagePayments, when a dispute opens. */
export function PaymentDisputeMail(props: PaymentDisputeProps) {
  const { heading, summary, deadline, provider, providerUrl, url, ...context } = props;
  return (
    <MailFrame
      {...context}
      preview={summary}
      heading={heading}
      choicesUrl={`${context.appUrl}/dashboard/security#mails`}
    >
      <MailText>{summary}</MailText>
      <MailText>{deadline}</MailText>
      {providerUrl ? (
        <MailText>
          Answer it at {provider}: {providerUrl}
        </MailText>
      ) : null}
      <MailButton href={url} color={context.branding.primaryColor}>
        Open the list of disputes
      </MailButton>
    </MailFrame>
  );
}

/** Sent by an admin to themselves, to see that mails arrive. */
export function TestMail(context: MailContext) {
  return (
    <MailFrame {...context} preview="Your e-mails arrive." heading="Your e-mails arrive">
      <MailText>Somebody asked for this mail in App Integrations. There is nothing to do.</MailText>
    </MailFrame>
  );
}
