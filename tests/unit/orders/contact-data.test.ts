import { describe, expect, it } from 'vitest';
import { hasContactData } from '@/lib/sites/contact-data';
import { expectLinearTime } from '@/tests/setup/expect-linear-time';

describe('contact data', () => {
  it.each([
    'Write me at jo.smith+links@example.co.uk please',
    'jo@exämple.de',
    'jo (at) gmail (dot) com',
    'jo[at]example.com',
    'jo at example dot com',
    'reach me: jo.smith at gmail',
    'jo\u200b@example.com',
    'MAILTO:JO@EXAMPLE.COM',
    'Call +49 30 1234567',
    'Here is mine: (555) 123-4567',
    '555-123-4567',
    'call me on 612 345 678',
    '0171 2345678',
    '06 12 34 56 78',
    '5551234567',
    '00441632960961',
    '＋４９ ３０ １２３４５６７',
    'tel:5551234',
    'https://t.me/some_name',
    't.me/some_name',
    'see wa.me/491711234567 .',
    'https://api.whatsapp.com/send?phone=491711234567',
    'discord.gg/abcDEF',
    'https://discord.com/invite/abc',
    'Telegram: @some_name',
    'tg @some_name',
    'my telegram is some_name',
    'WhatsApp: 4917112345',
    'skype: live:.cid.0a1b2c3d',
    'add me on Telegram',
    'DM us via WhatsApp',
    'contact @some_name',
    'find me as @some_name on instagram',
    'WeChat id: some_name88',
    'jojo[at]proton[.]me',
    'jojo [@] proton (.) me',
    `${'long'.repeat(20)}@example.com`,
    'discord jojo#1234',
    'jojo#1234 on Discord',
    'Join https://us02web.zoom.us/j/123456',
    'calendly.com/jojo/30min',
    'https://www.linkedin.com/in/jojo',
  ])('is found in %j', (text) => {
    expect(hasContactData(text)).toBe(true);
  });

  it.each([
    'Please change the anchor to “garden spades”.',
    'The article has 1,200 words and 2 links.',
    'Price: $1,234,567.89 for 12 posts',
    'That is 1 234 567 visitors, or 100 000 000 a year',
    '1.234.567 EUR',
    'Order #1234567890 and order 123456789012',
    'invoice INV-2026-0001234567',
    'ISBN 978-3-16-148410-0',
    'Published on 2026-11-23 14:30:05, not on 17.05.2026',
    'between 01.05.2026 - 17.05.2026, or 2019-2026',
    '2026-11-23T14:30:05.123Z',
    'https://example.com/2026/11/23/12345678901-post?id=5551234567',
    'example.com/tel/5551234567',
    'Look at example.com for the style.',
    'DR 45, DA 50, 300 words, 2 links, 10 20 30 40 50',
    '1000-1500 words, or 800 - 1000',
    'The server is 192.168.100.200',
    'Use 1920 x 1080 images, at least 1200x800',
    'The signal is strong, and the line: second paragraph',
    'Telegram is blocked there. Write about Telegram channels.',
    'Our discord: none',
    'Use @media and @context in the snippet',
    'npm install next@16.0.1',
    'v1.2.3.4',
    'https://www.instagram.com/p/abc',
    'We answer order#1234 on Discord',
    'Our Discord server, see issue #1234',
    'Write about zoom.us and https://www.linkedin.com/company/example',
    'Take [a] look at [1] example.com (.)',
  ])('is not found in %j', (text) => {
    expect(hasContactData(text)).toBe(false);
  });

  it('is searched for in linear time', async () => {
    const hostile = ['a', 'a.', 'a@', 'a @ b . c ', 'a at b dot ', 'discord ', 'a#1234 ', '1-', '1 '];
    for (const part of hostile)
      await expectLinearTime(100_000, (size) => hasContactData(part.repeat(size / part.length)), part);
  });

  it('is not a link to the page that the order promotes', () => {
    const own = ['https://t.me/Garden_Channel', 'https://www.example.com'];
    expect(hasContactData('Link https://t.me/garden_channel/, please.', own)).toBe(false);
    expect(hasContactData('And t.me/other_channel', own)).toBe(true);
  });
});
