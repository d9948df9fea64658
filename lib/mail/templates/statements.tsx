import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type StatementMailProps = MailContext & { name: string; month: string; amount: string; url: string };

/** Tells a seller that a self-billed statement was issued. */
export function StatementMail({ name, month, amount, url, ...context }: StatementMailProps) {
  const text = `Statement ${name} for ${month} bills ${amount}. You can download it as a PDF.`;
  return (
    <MailFrame
      {...context}
      preview={text}
      heading="Your self-billed statement"
      choicesUrl={`${context.appUrl}/seller/security#mails`}
    >
      <MailText>{text}</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        View your statements
      </MailButton>
    </MailFrame>
  );
}
