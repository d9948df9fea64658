import { type MailContext, MailFrame, MailText } from './frame';

/** Sent by an admin to themselves, to see that mails arrive. */
export function TestMail(context: MailContext) {
  return (
    <MailFrame {...context} preview="Your e-mails arrive." heading="Your e-mails arrive">
      <MailText>Somebody asked for this mail in App Integrations. There is nothing to do.</MailText>
    </MailFrame>
  );
}
