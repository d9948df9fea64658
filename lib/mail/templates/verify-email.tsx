import { MailButton, type MailContext, MailFrame, MailText } from './frame';

/** Sent to a new account; the link lives 24 hours. */
export function VerifyEmailMail({ url, ...context }: MailContext & { url: string }) {
  return (
    <MailFrame {...context} preview="One click, and your account is ready." heading="Confirm your email address">
      <MailText>
        Somebody, hopefully you, created an account at {context.branding.siteName} with this address. Confirm it to sign
        in. The link works for 24 hours.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Confirm email
      </MailButton>
      <MailText>If it was not you, ignore this mail: without the confirmation nobody can use the account.</MailText>
    </MailFrame>
  );
}
