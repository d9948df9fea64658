import { type MailContext, MailFrame, MailText } from './frame';

type SecurityNoticeProps = MailContext & {
  heading: string;
  /** What happened: the user, the change and its origin. */
  text: string;
  /** What to check besides; empty for nothing. */
  review?: string;
  /** What to do when the reader did not expect it. */
  advice: string;
  url: string;
  linkLabel: string;
};

/** Renders a security event of an account or the installation, for its owner or all admins. Cannot be turned off. */
export function SecurityNotice({ heading, text, review, advice, url, linkLabel, ...context }: SecurityNoticeProps) {
  return (
    <MailFrame {...context} preview={text} heading={heading} button={{ href: url, label: linkLabel }}>
      <MailText>{text}</MailText>
      {review ? <MailText>{review}</MailText> : null}
      <MailText>{advice}</MailText>
    </MailFrame>
  );
}

type PasskeyNoticeProps = MailContext & { name: string; change: 'added' | 'removed' };

/** Renders the mail sent to the owner when a passkey was added or removed. */
export function PasskeyNotice({ name, change, ...context }: PasskeyNoticeProps) {
  const { siteName, supportEmail } = context.branding;
  const isAdded = change === 'added';
  const heading = isAdded ? 'A passkey was added to your account' : 'A passkey was removed from your account';
  return (
    <MailFrame {...context} preview={`The passkey is called ${name}.`} heading={heading}>
      <MailText>
        {isAdded
          ? `The passkey "${name}" can now sign in to your account at ${siteName}.`
          : `The passkey "${name}" can no longer sign in to your account at ${siteName}.`}
      </MailText>
      <MailText>
        {`If this wasn’t you, set a new password, check the passkeys on the Security page${supportEmail ? `, and write to ${supportEmail}` : ''}.`}
      </MailText>
    </MailFrame>
  );
}
