import { Body } from '@react-email/body';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Text } from '@react-email/text';
import { MailButton, MailText } from './frame';

type ClientReportMailProps = {
  heading: string;
  brandName: string;
  brandColor: string;
  url: string;
  /** Where the recipient turns the mail off. */
  stopUrl: string;
  hasPassword: boolean;
};

/** Renders the monthly mail of an agency to its client. Without the frame of other mails, which names the marketplace. */
export function ClientReportMail({ heading, brandName, brandColor, url, stopUrl, hasPassword }: ClientReportMailProps) {
  return (
    <Html lang="en">
      <Head />
      <Body style={{ backgroundColor: '#ffffff', fontFamily: 'Arial, sans-serif', margin: 0, padding: '32px 12px' }}>
        <Container style={{ maxWidth: '520px', borderTop: `3px solid ${brandColor}`, paddingTop: '16px' }}>
          <Text style={{ fontSize: '16px', fontWeight: 600, color: '#18181b' }}>{brandName}</Text>
          <Heading as="h1" style={{ fontSize: '20px', lineHeight: '28px', color: '#18181b', margin: '0 0 16px' }}>
            {heading}
          </Heading>
          <MailText>
            {hasPassword ? `The report has the password that ${brandName} gave you.` : 'The report is ready.'}
          </MailText>
          <MailButton href={url} color={brandColor}>
            Open the report
          </MailButton>
          <Text style={{ fontSize: '12px', lineHeight: '18px', color: '#52525b', margin: '24px 0 0' }}>
            You get this email each month because {brandName} entered your address.{' '}
            <Link href={stopUrl}>Turn it off</Link>
          </Text>
        </Container>
      </Body>
    </Html>
  );
}
