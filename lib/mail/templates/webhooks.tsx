import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type WebhookOffMailProps = MailContext & {
  host: string;
  /** Why, in a sentence. */
  why: string;
  /** The path of the page with the endpoint. */
  path: string;
};

/** Tells the owner of a webhook endpoint that it was turned off after failures. */
export function WebhookOffMail({ host, why, path, ...context }: WebhookOffMailProps) {
  const heading = 'A webhook endpoint was turned off';
  const text = `We stopped sending events to the endpoint at ${host}. ${why}`;
  return (
    <MailFrame {...context} preview={text} heading={heading}>
      <MailText>{text}</MailText>
      <MailText>Repair it and turn it on again. Events of the last 30 days can be sent again from its log.</MailText>
      <MailButton href={`${context.appUrl}${path}`} color={context.branding.primaryColor}>
        View your webhooks
      </MailButton>
    </MailFrame>
  );
}
