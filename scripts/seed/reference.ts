import type { Executor } from '@/db/client';
import { announcements } from '@/db/schema/announcements';
import { features } from '@/db/schema/features';
import { packages } from '@/db/schema/packages';
import { exchangeRates, settings } from '@/db/schema/settings';
import { niches } from '@/db/schema/taxonomy';
import { setupChecklistKey } from '@/lib/dashboard/setup-checklist';
import { newId } from '@/lib/ids';
import { currencies } from '@/lib/money';
import { brandingKey, defaultStoredBranding } from '@/lib/settings/branding/get-branding';
import { daysBefore } from './days';
import { nicheWords } from './niche-words';
import { ratesToUsd } from './rates';

/** Seeds niches, exchange rates, branding, features, an announcement and packages. Migrations insert the post types and the general niche. */
export async function seedReference(tx: Executor, now: Date): Promise<void> {
  await tx
    .insert(niches)
    .values(nicheWords.map(({ niche }) => ({ name: niche })))
    .onConflictDoNothing();
  await tx.insert(exchangeRates).values(
    currencies
      .filter((currency) => currency !== 'USD')
      .flatMap((currency) =>
        // From the beginning of the history, and set again yesterday.
        [425, 1].map((days) => ({
          id: newId(),
          currency,
          usdMicrosPerUnit: ratesToUsd[currency],
          effectiveAt: daysBefore(now, days),
        })),
      ),
  );
  await tx.insert(settings).values({
    key: brandingKey,
    value: {
      ...defaultStoredBranding,
      tagline: 'Placements you can check before you pay',
      supportEmail: 'support@example.com',
      postalAddress: 'LinkMarket Demo Ltd.\n1 Example Street\nLondon EC1A 1AA\nUnited Kingdom',
    },
  });
  // The demo has no operator who would set it up.
  await tx.insert(settings).values({ key: setupChecklistKey, value: { isHidden: true } });
  await tx.insert(features).values(featuresOfDemo.map((feature) => ({ id: newId(), ...feature })));
  await tx.insert(announcements).values({
    id: newId(),
    title: 'Welcome to the demo',
    message: 'All users, sites and money in this demo are fictional. Try anything you like.',
    type: 'info',
    audience: 'everyone',
  });
  const onSaleSince = daysBefore(now, 400);
  const offered = [
    {
      name: 'Starter',
      description: 'Three guest posts on sites with DR 20 or more; articles of 600 words included.',
      priceCents: 24_900,
      links: 'type,quantity,min_dr\nGuest posts,3,20',
    },
    {
      name: 'Growth',
      description: 'Five guest posts on sites with DR 35 or more and real traffic, spread over four weeks.',
      priceCents: 64_900,
      links: 'type,quantity,min_dr\nGuest posts,5,35',
    },
    {
      name: 'Authority',
      description: 'Eight guest posts on sites with DR 50 or more, written by editors in your niche.',
      priceCents: 189_000,
      links: 'type,quantity,min_dr\nGuest posts,8,50',
    },
    {
      name: 'Local Boost',
      description: 'Four links from publications in a country and language of your choice.',
      priceCents: 32_900,
      links: 'type,quantity,min_dr\nGuest posts,3,20\nInnerpage links,1,15',
    },
    {
      name: 'Link Mix',
      description: 'A natural mix: four guest posts, two inner-page links and one homepage link.',
      priceCents: 79_900,
      links: 'type,quantity,min_dr\nGuest posts,4,25\nInnerpage links,2,25\nHomepage links,1,20',
    },
    {
      name: 'Editorial Feature',
      description: 'One feature of 1,200 words on a site with DR 65 or more.',
      priceCents: 119_000,
      links: 'type,quantity,min_dr\nGuest posts,1,65',
    },
  ];
  await tx.insert(packages).values(offered.map((one) => ({ ...one, createdAt: onSaleSince, updatedAt: onSaleSince })));
}

const featuresOfDemo = [
  { name: 'One prepaid wallet', description: 'Top up once and pay every order from it. Every cent is itemized.' },
  {
    name: 'Metrics for every site',
    description: 'DR, DA, traffic, spam score and price, before you order.',
  },
  { name: 'Orders you can track', description: 'From the order to the live link, with an email at every step.' },
  { name: 'Invoices', description: 'A numbered invoice for every order, and a credit note for every refund.' },
];
