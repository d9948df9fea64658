import { type MailContext, MailFrame, MailText } from './frame';

/** Sent when somebody registers with the address of a deleted account: the screen says the same as always. */
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
