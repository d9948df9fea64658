import { MailButton, type MailContext, MailFrame, MailText } from './frame';

/** Sent to a new account; the link is valid for 24 hours. */
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
      <MailText>If it was not you, ignore this mail: without the confirmation the account cannot be used.</MailText>
    </MailFrame>
  );
}

/** Sent when the address of a deleted account is registered; the response does not reveal it. */
export function AccountClosedMail(context: MailContext) {
  const { siteName, supportEmail } = context.branding;
  return (
    <MailFrame
      {...context}
      preview="The account with this address was closed."
      heading="The account with this address was closed"
    >
      <MailText>
        Somebody, hopefully you, tried to create an account at {siteName} with this address. It had one that was closed,
        so no new one was made.
      </MailText>
      <MailText>
        {supportEmail
          ? `If you want to come back, write to ${supportEmail}, or use another address.`
          : 'If you want to come back, ask the people who run this marketplace, or use another address.'}
      </MailText>
      <MailText>If it was not you, there is nothing to do.</MailText>
    </MailFrame>
  );
}

/** Sent when the address of an existing account is registered; the response does not reveal it. */
export function AccountExistsMail({ url, ...context }: MailContext & { url: string }) {
  return (
    <MailFrame
      {...context}
      preview="There is already an account with this address."
      heading="You already have an account"
    >
      <MailText>
        Somebody, hopefully you, tried to create an account at {context.branding.siteName} with this address. There is
        one already, so nothing was changed.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Set a new password
      </MailButton>
      <MailText>If it was not you, there is nothing to do.</MailText>
    </MailFrame>
  );
}

/** Sent to the new address; the link is valid for a day and works once. */
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

type NoticeProps = MailContext & {
  newEmail: string;
  /** Whether the address has changed, or the confirmation is pending. */
  isDone: boolean;
};

/** Sent to the old address, because another person may have requested the change. */
export function EmailChangeNotice({ newEmail, isDone, ...context }: NoticeProps) {
  const { siteName, supportEmail } = context.branding;
  const heading = isDone ? 'Your email address was changed' : 'Your email address is about to change';
  const ask = supportEmail ? `write to ${supportEmail}` : 'tell the people who run this marketplace';
  return (
    <MailFrame {...context} preview={`The new address is ${newEmail}.`} heading={heading}>
      <MailText>
        {isDone
          ? `Your account at ${siteName} now has the address ${newEmail}. You sign in with it from now on.`
          : `Somebody, hopefully you, asked to change the address of your account at ${siteName} to ${newEmail}. It changes once that mailbox has confirmed it.`}
      </MailText>
      <MailText>
        {isDone
          ? `If it was not you, ${ask} at once.`
          : `If it was not you, set a new password now, which also stops the change, and ${ask}.`}
      </MailText>
    </MailFrame>
  );
}

/** Sent on request; the link is valid for one hour and works once. */
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
