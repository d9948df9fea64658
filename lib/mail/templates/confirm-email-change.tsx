import { MailButton, type MailContext, MailFrame, MailText } from './frame';

/** Sent to the new address; the link lives a day and works once. */
export function ConfirmEmailChangeMail({ url, ...context }: MailContext & { url: string }) {
  return (
    <MailFrame {...context} preview="Confirm that this mailbox is yours." heading="Confirm your new email address">
      <MailText>
        Somebody, hopefully you, wants to use this address for an account at {context.branding.siteName}. Confirm it and
        sign in with it from then on. The link works once, for 24 hours.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Confirm new email
      </MailButton>
      <MailText>If it was not you, ignore this mail: without the confirmation nothing changes.</MailText>
    </MailFrame>
  );
}
