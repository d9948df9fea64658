import { MailButton, type MailContext, MailFrame, MailText } from './frame';

/** Renders the mail to a new account; the link is valid for 24 hours. */
export function VerifyEmailMail({ url, ...context }: MailContext & { url: string }) {
  return (
    <MailFrame
      {...context}
      preview="Confirm your email address to start using your account."
      heading="Confirm your email address"
    >
      <MailText>
        An account was created at {context.branding.siteName} with this email address. Confirm it to sign in. The link
        works once and expires after 24 hours.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Confirm email
      </MailButton>
      <MailText>If this wasn’t you, ignore this email: the account can’t be used without confirmation.</MailText>
    </MailFrame>
  );
}

/** Renders the mail to a person whom staff added; the link is valid for 7 days and works once. */
export function InvitationMail({ url, ...context }: MailContext & { url: string }) {
  const { siteName } = context.branding;
  return (
    <MailFrame {...context} preview={`Set your password for ${siteName}.`} heading={`You are invited to ${siteName}`}>
      <MailText>
        The team of {siteName} created an account with this email address. Set your password to use it. The link works
        once and expires after 7 days.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Set your password
      </MailButton>
      <MailText>If you don’t expect this, ignore this email: the account can’t be used without a password.</MailText>
    </MailFrame>
  );
}

/** Renders the mail sent when the address of a deleted account is registered; the response does not reveal it. */
export function AccountClosedMail(context: MailContext) {
  const { siteName, supportEmail } = context.branding;
  return (
    <MailFrame
      {...context}
      preview="The account with this address was closed."
      heading="The account with this address was closed"
    >
      <MailText>
        A request was made to create an account at {siteName} with this email address. The account with this address was
        closed, so no new one was created.
      </MailText>
      <MailText>
        {supportEmail
          ? `To come back, write to ${supportEmail}, or use another address.`
          : 'To come back, contact the team of this marketplace, or use another address.'}
      </MailText>
      <MailText>If this wasn’t you, you can ignore this email.</MailText>
    </MailFrame>
  );
}

/** Renders the mail sent when the address of an existing account is registered; the response does not reveal it. */
export function AccountExistsMail({ url, ...context }: MailContext & { url: string }) {
  return (
    <MailFrame
      {...context}
      preview="An account with this address already exists."
      heading="You already have an account"
    >
      <MailText>
        A request was made to create an account at {context.branding.siteName} with this email address. You already have
        one, so nothing was changed.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Set a new password
      </MailButton>
      <MailText>If this wasn’t you, you can ignore this email.</MailText>
    </MailFrame>
  );
}

/** Renders the mail to the new address; the link is valid for a day and works once. */
export function ConfirmEmailChangeMail({ url, ...context }: MailContext & { url: string }) {
  return (
    <MailFrame
      {...context}
      preview="Confirm that this email address is yours."
      heading="Confirm your new email address"
    >
      <MailText>
        A request was made to use this email address for an account at {context.branding.siteName}. Confirm it, then use
        it to sign in. The link works once and expires after 24 hours.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Confirm new email
      </MailButton>
      <MailText>If this wasn’t you, ignore this email: nothing changes without confirmation.</MailText>
    </MailFrame>
  );
}

type NoticeProps = MailContext & {
  newEmail: string;
  /** Whether the address has changed, or the confirmation is pending. */
  isDone: boolean;
};

/** Renders the mail to the old address, because another person may have requested the change. */
export function EmailChangeNotice({ newEmail, isDone, ...context }: NoticeProps) {
  const { siteName, supportEmail } = context.branding;
  const heading = isDone ? 'Your email address was changed' : 'Your email address is about to change';
  const ask = supportEmail ? `write to ${supportEmail}` : 'contact the team of this marketplace';
  return (
    <MailFrame {...context} preview={`The new address is ${newEmail}.`} heading={heading}>
      <MailText>
        {isDone
          ? `The email address of your account at ${siteName} is now ${newEmail}. Use it to sign in.`
          : `A request was made to change the email address of your account at ${siteName} to ${newEmail}. It changes once the new address is confirmed.`}
      </MailText>
      <MailText>
        {isDone
          ? `If this wasn’t you, ${ask} immediately.`
          : `If this wasn’t you, set a new password now, which also stops the change, and ${ask}.`}
      </MailText>
    </MailFrame>
  );
}

/** Renders the mail sent on request; the link is valid for one hour and works once. */
export function ResetPasswordMail({ url, ...context }: MailContext & { url: string }) {
  return (
    <MailFrame {...context} preview="Set a new password within one hour." heading="Set a new password">
      <MailText>
        Use this link to set a new password. It works once, expires after one hour, and signs you out everywhere.
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Set a new password
      </MailButton>
      <MailText>If you didn’t request this, ignore this email: your password won’t change.</MailText>
    </MailFrame>
  );
}

type RefundMailProps = MailContext & {
  heading: string;
  text: string;
  url: string;
  button: string;
  /** The page where the reader turns this kind of mail off. */
  choicesUrl: string;
};

/** News of a refund to the payment method: to the buyer, or to staff of a request. */
export function RefundMail({ heading, text, url, button, choicesUrl, ...context }: RefundMailProps) {
  return (
    <MailFrame
      {...context}
      preview={text}
      heading={heading}
      choicesUrl={choicesUrl}
      button={{ href: url, label: button }}
    >
      <MailText>{text}</MailText>
    </MailFrame>
  );
}

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
    <MailFrame
      {...context}
      preview={text}
      heading={heading}
      button={{ href: `${context.appUrl}${path}`, label: 'View your webhooks' }}
    >
      <MailText>{text}</MailText>
      <MailText>Repair it and turn it on again. Events of the last 30 days can be sent again from its log.</MailText>
    </MailFrame>
  );
}
