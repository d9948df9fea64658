import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type MemberInvitationProps = MailContext & {
  /** The name of the account. */
  account: string;
  inviter: string;
  inviterEmail: string;
  role: string;
  expiresAt: Date;
  url: string;
};

/** Renders the invitation to join an account, for a person with or without a user. The link works once. */
export function MemberInvitationMail({
  account,
  inviter,
  inviterEmail,
  role,
  expiresAt,
  url,
  ...context
}: MemberInvitationProps) {
  const { siteName } = context.branding;
  const person = inviter === '' ? inviterEmail : `${inviter} (${inviterEmail})`;
  const end = expiresAt.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <MailFrame
      {...context}
      preview={`${person} invites you to work in “${account}” at ${siteName}.`}
      heading={`You are invited to “${account}”`}
    >
      <MailText>
        {`${person} invites you to work in the account “${account}” at ${siteName}, with the role ${role}. Sign in, or create an account with this email address, and accept. The invitation works for this address only, until ${end}.`}
      </MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        View the invitation
      </MailButton>
      <MailText>If you don’t expect this, ignore this email: nothing happens without your acceptance.</MailText>
    </MailFrame>
  );
}
