import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type PayoutMailProps = MailContext & { heading: string; text: string; url: string };

/** Tells a seller that a payout was paid, failed or was returned. */
export function PayoutMail({ heading, text, url, ...context }: PayoutMailProps) {
  return (
    <MailFrame {...context} preview={text} heading={heading} choicesUrl={`${context.appUrl}/seller/security#mails`}>
      <MailText>{text}</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        View your payouts
      </MailButton>
    </MailFrame>
  );
}
