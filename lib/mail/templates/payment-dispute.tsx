import { MailButton, type MailContext, MailFrame, MailText } from './frame';

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
