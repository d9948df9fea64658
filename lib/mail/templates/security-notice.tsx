import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type SecurityNoticeProps = MailContext & {
  heading: string;
  /** What happened: who, what, from where. */
  text: string;
  /** What to do where the reader did not expect it. */
  advice: string;
  url: string;
  linkLabel: string;
};

/** About an account or the installation: something its owner, or every admin, has to hear of. Cannot be turned off. */
export function SecurityNotice({ heading, text, advice, url, linkLabel, ...context }: SecurityNoticeProps) {
  return (
    <MailFrame {...context} preview={text} heading={heading}>
      <MailText>{text}</MailText>
      <MailText>{advice}</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        {linkLabel}
      </MailButton>
    </MailFrame>
  );
}
