import { type MailContext, MailFrame, MailText } from './frame';

type NoticeProps = MailContext & {
  newEmail: string;
  /** Changed already, or waiting for the new address to confirm it. */
  isDone: boolean;
};

/** Sent to the old address, whose owner may not be the one who asked. */
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
