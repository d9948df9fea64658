import { MailButton, type MailContext, MailFrame, MailText } from './frame';

/** Sent on request; the link lives one hour and works once. */
export function ResetPasswordMail({ url, ...context }: MailContext & { url: string }) {
  return (
    <MailFrame {...context} preview="Set a new password within the hour." heading="Set a new password">
      <MailText>
        Here is the link to set a new password. It works once, for one hour, and signs you out everywhere.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Set a new password
      </MailButton>
      <MailText>If you did not ask for this, ignore this mail: your password stays as it is.</MailText>
    </MailFrame>
  );
}
