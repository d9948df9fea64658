// Imported separately: the combined package includes a CSS compiler, a highlighter and a Markdown parser.
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Img } from '@react-email/img';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { Fragment, type ReactNode } from 'react';
import { inAccount } from '@/lib/access/account-choice';
import type { Branding, Logo } from '@/lib/settings/branding/branding';
import { getTextColor } from '@/lib/settings/branding/colors';
import { legalPaths, legalTitles, listPublished } from '@/lib/settings/legal/legal';

export type MailContext = {
  branding: Branding;
  /** The URL of the installation, without a trailing slash. */
  appUrl: string;
  /** The account that the mail is about; without a name if it is the personal one of the recipient. */
  ofAccount?: { id: string; name: string } | undefined;
};

type FrameProps = MailContext & {
  /** The preview text of the inbox. */
  preview: string;
  heading: string;
  /** The page where the recipient can turn off such mails; only for optional kinds (lib/mail/preferences.ts). */
  choicesUrl?: string;
  /** The button below the content. */
  button?: { href: string; label: string };
  children: ReactNode;
};

const font = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const paragraph = { fontSize: '15px', lineHeight: '24px', color: '#27272a', margin: '0 0 16px' };

/** Renders every mail: the site's name, one card, and the support address. Mail clients require inline styles. */
export function MailFrame(props: FrameProps) {
  const { branding, appUrl, ofAccount, preview, heading, choicesUrl, button, children } = props;
  return (
    <Html lang="en">
      <Head />
      <Preview>{preview}</Preview>
      <Body style={{ backgroundColor: '#f4f4f5', fontFamily: font, margin: 0, padding: '32px 12px' }}>
        <Container style={{ maxWidth: '520px' }}>
          {branding.logo === null ? null : (
            <Img
              src={`${appUrl}${branding.logo.path}`}
              alt=""
              {...logoSize(branding.logo)}
              style={{ margin: '0 0 12px' }}
            />
          )}
          <Text style={{ fontSize: '16px', fontWeight: 600, color: '#18181b', margin: '0 0 16px' }}>
            {branding.siteName}
          </Text>
          <Section
            style={{
              backgroundColor: '#ffffff',
              border: '1px solid #e4e4e7',
              borderTop: `3px solid ${branding.secondaryColor}`,
              borderRadius: '8px',
              padding: '32px',
            }}
          >
            <Heading as="h1" style={{ fontSize: '20px', lineHeight: '28px', color: '#18181b', margin: '0 0 16px' }}>
              {heading}
            </Heading>
            {ofAccount?.name ? <MailText>{`For the account ${ofAccount.name}`}</MailText> : null}
            {children}
            {button && (
              <MailButton
                href={ofAccount ? inAccount(button.href, ofAccount.id) : button.href}
                color={branding.primaryColor}
              >
                {button.label}
              </MailButton>
            )}
          </Section>
          <Hr style={{ borderColor: '#e4e4e7', margin: '24px 0 16px' }} />
          <Text style={{ fontSize: '12px', lineHeight: '18px', color: '#52525b', margin: 0 }}>
            {branding.siteName}
            {branding.tagline === '' ? '' : `, ${branding.tagline}`} · <Link href={appUrl}>{new URL(appUrl).host}</Link>
            {branding.supportEmail !== '' && (
              <>
                {' '}
                · Questions? <Link href={`mailto:${branding.supportEmail}`}>{branding.supportEmail}</Link>
              </>
            )}
          </Text>
          {listPublished(branding.legal).map((kind) => (
            <Text key={kind} style={{ fontSize: '12px', lineHeight: '18px', color: '#52525b', margin: '8px 0 0' }}>
              <Link href={`${appUrl}${legalPaths[kind]}`}>{legalTitles[kind]}</Link>
            </Text>
          ))}
          {choicesUrl ? (
            <Text style={{ fontSize: '12px', lineHeight: '18px', color: '#52525b', margin: '8px 0 0' }}>
              Too many emails? <Link href={choicesUrl}>Choose which ones you get</Link>.
            </Text>
          ) : null}
        </Container>
      </Body>
    </Html>
  );
}

/** Scales the logo to the height of the name, or to the width of the card. */
function logoSize({ width, height }: Logo): { width: number; height: number } {
  const scale = Math.min(32 / height, 480 / width);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Renders a text with its line breaks, as `<br>`, which the plain text and old mail clients support. */
export function MailLines({ text }: { text: string }) {
  const lines = text.split(/\r\n|\r|\n/).map((words, number) => ({ number, words }));
  return lines.map(({ number, words }) => (
    <Fragment key={number}>
      {number > 0 ? <br /> : null}
      {words}
    </Fragment>
  ));
}

export function MailText({ children }: { children: ReactNode }) {
  return <Text style={paragraph}>{children}</Text>;
}

/** Renders a button, and its URL as text for clients that do not show buttons. */
export function MailButton({ href, color, children }: { href: string; color: string; children: ReactNode }) {
  return (
    <>
      <Button
        href={href}
        style={{
          backgroundColor: color,
          color: getTextColor(color),
          borderRadius: '6px',
          fontSize: '15px',
          fontWeight: 600,
          padding: '12px 20px',
        }}
      >
        {children}
      </Button>
      <Text
        style={{ fontSize: '13px', lineHeight: '20px', color: '#52525b', margin: '20px 0 0', wordBreak: 'break-all' }}
      >
        Or open this URL: <Link href={href}>{href}</Link>
      </Text>
    </>
  );
}
