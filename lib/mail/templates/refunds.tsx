import { MailButton, type MailContext, MailFrame, MailText } from './frame';

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
    <MailFrame {...context} preview={text} heading={heading} choicesUrl={choicesUrl}>
      <MailText>{text}</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        {button}
      </MailButton>
    </MailFrame>
  );
}
