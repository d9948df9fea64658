import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type ApprovalRequestedProps = MailContext & {
  summary: string;
  /** Their e-mail address. */
  requester: string;
  url: string;
};

/** Sent to everyone who can approve a change that needs a second person. */
export function ApprovalRequestedMail({ summary, requester, url, ...context }: ApprovalRequestedProps) {
  return (
    <MailFrame {...context} preview={summary} heading="A change waits for your approval">
      <MailText>{`${requester} requested: ${summary}`}</MailText>
      <MailText>It takes effect when you approve it. Reject it if you do not know why it was requested.</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Review the request
      </MailButton>
    </MailFrame>
  );
}
