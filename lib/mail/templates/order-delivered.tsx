import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type OrderDeliveredProps = MailContext & {
  heading: string;
  /** What was ordered: the website or the package. */
  what: string;
  fileName: string;
  isReplacement: boolean;
  /** Where the buyer downloads it. */
  url: string;
};

/** To a buyer: a file lies ready. The file itself never goes by mail. */
export function OrderDeliveredMail({ heading, what, fileName, isReplacement, url, ...context }: OrderDeliveredProps) {
  const text = isReplacement
    ? `A new file takes the place of the earlier one: ${fileName}`
    : `A file lies ready to download: ${fileName}`;
  return (
    <MailFrame {...context} preview={text} heading={heading} choicesUrl={`${context.appUrl}/user/security#mails`}>
      <MailText>{what}</MailText>
      <MailText>{text}</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Download it
      </MailButton>
    </MailFrame>
  );
}
