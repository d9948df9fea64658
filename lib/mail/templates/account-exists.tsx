import { MailButton, type MailContext, MailFrame, MailText } from './frame';

/** Sent when somebody registers with an address that has an account: the screen says the same either way. */
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
